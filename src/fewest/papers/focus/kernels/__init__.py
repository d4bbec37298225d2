"""Millions of learner runs on small Boolean samples, without touching Python between them.

An example over at most 16 Boolean features is a number: bit ``b`` is the value
of feature ``b``. A concept has at most six relevant features, and these are
always the lowest bits: its truth table is one word, repeated it is the classes of 64
consecutive instances, and instances that differ in one relevant feature are
bits of one word. A learner meets the features in another order, drawn for
every sample, and this is the order in which it breaks ties.

One file an idea: ``draw`` draws a sample of a truth table, ``focus`` and ``greedy``
select features, ``id3`` and ``fringe`` grow trees and score them on all instances,
``batch`` runs all of it.
"""
