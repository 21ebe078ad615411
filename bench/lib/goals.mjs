/**
 * Whether a result met its goal, and by what share it missed. A goal bounds either the ratio to the
 * yardstick or the value itself; a result without a goal is only reported.
 */
export function judge({ goal, ratio, value }) {
  if (!goal) return { met: null, missedBy: 0 };
  if (goal.ratioAtMost !== undefined) return atMost(ratio, goal.ratioAtMost);
  if (goal.ratioAtLeast !== undefined) return atLeast(ratio, goal.ratioAtLeast);
  if (goal.valueAtMost !== undefined) return atMost(value, goal.valueAtMost);
  return atLeast(value, goal.valueAtLeast);
}

function atMost(measured, bound) {
  const met = measured <= bound;
  return { met, missedBy: met ? 0 : measured / bound - 1 };
}

function atLeast(measured, bound) {
  const met = measured >= bound;
  return { met, missedBy: met ? 0 : 1 - measured / bound };
}
