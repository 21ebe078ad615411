#!/bin/sh
# Imports a file: the first attempt fails, the second one works. A payload with "dies" kills the program each time.
case "$(cat)" in
*'"dies":true'*) kill -KILL $$ ;;
esac
[ "$REDRIVE_ATTEMPT" -gt 1 ] || { echo "the file is not complete" >&2; exit 1; }
