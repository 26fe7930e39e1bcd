"""The working Tuesday with which `gendei demo` begins: a script for each demo clinic, and what plays it."""
