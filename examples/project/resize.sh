#!/bin/sh
# A shell handler: the payload comes on stdin, the result is what it prints, and another exit code than 0 is a failure.
payload=$(cat)
if [ "$REDRIVE_ATTEMPT" = 1 ]; then
  echo "the disk is busy" >&2
  exit 1
fi
echo "{\"resized\": $payload, \"attempt\": $REDRIVE_ATTEMPT}"
