/**
 * Words for the same thing, the likeliest first. Names of commands are among words that people know from elsewhere:
 * for any other word of a line, the error suggests the command. A word may be in several lines.
 */
const FAMILIES: readonly (readonly string[])[] = [
  ['list', 'ls', 'all', 'index'],
  ['show', 'get', 'describe', 'inspect', 'view', 'cat', 'info', 'status', 'find'],
  ['requeue', 'retry', 'rerun', 'replay', 'resend', 'redrive', 'redeliver', 'again'],
  ['purge', 'cancel', 'delete', 'remove', 'rm', 'del', 'drop', 'discard', 'destroy', 'clear'],
  ['restore', 'undelete', 'undo', 'recover', 'unpurge'],
  ['pause', 'hold', 'engage', 'cancel', 'abort', 'stop', 'halt', 'suspend', 'freeze', 'disable'],
  ['resume', 'release', 'unpause', 'unhold', 'continue', 'start', 'unfreeze', 'enable', 'go'],
  ['enqueue', 'add', 'push', 'create', 'submit', 'new', 'insert', 'send', 'publish'],
  ['watch', 'wait', 'tail', 'follow', 'await', 'log', 'logs', 'monitor'],
  ['validate', 'verify', 'check-proof', 'check', 'lint', 'test'],
  ['edit', 'set-rate', 'change', 'update', 'set', 'patch', 'modify', 'rate', 'throttle'],
  ['groups', 'group', 'causes', 'errors', 'summary', 'top'],
  ['stats', 'count', 'counts', 'metrics', 'statistics'],
  ['export', 'dump', 'download', 'save', 'backup'],
  ['import', 'load', 'upload'],
  ['force-open', 'open', 'trip'],
  ['force-closed', 'close', 'closed'],
  ['half-open', 'probe', 'try'],
  ['release', 'open', 'unlock'],
  ['explain', 'why'],
  ['diff', 'compare'],
  ['plot', 'draw', 'graph', 'chart'],
  ['init', 'create', 'new', 'generate'],
  ['migrate', 'upgrade', 'update'],
  // Nouns.
  ['start', 'run', 'work', 'up'],
  ['serve', 'server', 'api', 'http', 'console', 'ui'],
  ['tokens', 'keys', 'auth', 'users'],
  ['jobs', 'tasks', 'task', 'messages'],
  ['dlq', 'dead-letters', 'dead-letter', 'deadletters', 'letters', 'dead', 'failed', 'dlx'],
  ['ops', 'operations', 'operation', 'bulk'],
  ['kill', 'switch', 'switches', 'emergency'],
  ['audit', 'log', 'logs', 'history', 'records', 'events'],
  ['park', 'parked', 'parks', 'causes'],
  ['breakers', 'circuits', 'circuit'],
  ['gates', 'retry-after'],
  ['limits', 'rates', 'rate-limits', 'rate-limit', 'throttles'],
  ['workers', 'processes', 'ps', 'nodes'],
  ['config', 'configuration', 'settings'],
  ['status', 'stat', 'state', 'health', 'info', 'overview', 'dashboard'],
  ['doctor', 'check', 'diagnose'],
];

/** Every word that may stand for the same, without the word itself; the likeliest first. */
export function sameMeaning(word: string): string[] {
  const same = FAMILIES.filter((family) => family.includes(word)).flat();
  return [...new Set(same)].filter((each) => each !== word);
}

/** Whole lines that are common elsewhere, and the commands that do the same here. They go before single words. */
const LINES: Readonly<Record<string, readonly string[]>> = {
  stop: ['kill engage', 'queues pause'],
  halt: ['kill engage', 'queues pause'],
  demo: ['start --demo'],
  tour: ['start --demo'],
  version: ['--version'],
  'kill all': ['kill engage all'],
  'kill everything': ['kill engage all'],
  'kill queue': ['kill engage queue'],
  'kill handler': ['kill engage handler'],
  'kill tenant': ['kill engage tenant'],
};

export function sameLine(line: string): readonly string[] {
  return Object.hasOwn(LINES, line) ? (LINES[line] ?? []) : [];
}
