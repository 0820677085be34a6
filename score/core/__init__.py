"""The scorer itself: Python, numpy and pyarrow only, because it also lies in the dataset folder as one file."""
