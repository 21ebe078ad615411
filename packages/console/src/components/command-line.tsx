import { toast } from './toast.tsx';

/** The command that does the same, to copy. */
export function CommandLine({ text }: { readonly text: string }) {
  return (
    <div class="cmd">
      <code>{text}</code>
      <button type="button" onClick={() => copy(text, 'The command is copied.')}>
        Copy
      </button>
    </div>
  );
}

/** Writes to the clipboard, which a browser may refuse. */
export function copy(text: string, said: string): void {
  const refused = () =>
    toast('Not copied: the browser allows it over TLS and on this machine only.', {
      kind: 'refused',
    });
  // Absent where the page has not come over TLS or loopback.
  if (navigator.clipboard === undefined) refused();
  else void navigator.clipboard.writeText(text).then(() => toast(said), refused);
}
