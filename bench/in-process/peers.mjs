/** Libraries that retry, in the order in which the tables list them. */
export const peers = [
  'cockatiel',
  'attempt',
  'p-retry',
  'mollitia',
  'async-retry',
  'exponential-backoff',
  'effect',
];
