/** Which dead letters are meant, in every command that has more than one in view. */
export const DEAD_OPTIONS: readonly string[] = [
  '--handler <name>',
  '--queue <name>',
  '--tenant <name>',
  '--tag <text>',
  '--session <id>',
  '--group <fingerprint>',
  '--reason-code <code>',
  '--class <class>',
  '--text <text>',
  '--since <time>',
  '--until <time>',
];
