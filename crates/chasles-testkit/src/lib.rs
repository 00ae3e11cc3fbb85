//! Generators, slow oracles and labelled-data readers for the tests of chasles.
