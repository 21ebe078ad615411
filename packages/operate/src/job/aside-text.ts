/** Why no worker and no command moves a job whose row is set aside, and what to do. */
export function asideText({ problem }: { readonly problem?: string | null | undefined }): string {
  return problem == null
    ? 'Its row was set aside and can be read again: run redrive doctor --put-back.'
    : `Its row cannot be read (${problem}) and was set aside: run redrive doctor.`;
}
