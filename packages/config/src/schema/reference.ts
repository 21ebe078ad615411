/** The text of `docs/reference/configuration.md`. */
export function configReference(): string {
  return '# Configuration\n';
}
