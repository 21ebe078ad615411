#!/bin/sh
# The pager: keeps each notification as a line of a file.
{ cat; echo; } >> "$WEEK_DIRECTORY/pages.jsonl"
