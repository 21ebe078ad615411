/**
 * Where the main file of a thread is: beside the given module, as TypeScript where that is (Node strips the types), as
 * JavaScript where it was built.
 */
export function threadFile(name: string, beside: string): URL {
  const extension = beside.endsWith('.ts') ? 'ts' : 'js';
  return new URL(`${name}.${extension}`, beside);
}
