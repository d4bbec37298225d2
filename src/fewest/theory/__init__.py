"""What can be known beforehand: bounds, concept classes, mistake trees and the VC dimension."""
