"""CFP and GA-CFP: classification by feature partitioning, and the vote among features (Güvenir and Şirin, 1993)."""
