/** A complete sample file. */
export function sampleConfig(): string {
  return 'version: "1.1.0"\n';
}
