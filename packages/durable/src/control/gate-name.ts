/** The dependency of a gate, by its key, with its credential and its tenant behind slashes where it has them. */
export function gateName(gate: string): string {
  const key = keyOf(gate);
  if (key === undefined) return gate;
  const [dependency = '', credential = '', tenant = ''] = key;
  const parts = tenant !== '' ? [dependency, credential, tenant] : [dependency, credential];
  return credential === '' && tenant === '' ? dependency : parts.join('/');
}

/** The parts of a key that `gateKey` made. `undefined`: any other cause under which jobs are parked. */
function keyOf(text: string): readonly string[] | undefined {
  try {
    const parts: unknown = JSON.parse(text);
    return Array.isArray(parts) && parts.every((part) => typeof part === 'string')
      ? parts
      : undefined;
  } catch {
    return undefined;
  }
}
