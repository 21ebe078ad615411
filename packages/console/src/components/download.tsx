import type { ComponentChildren } from 'preact';
import { asProblem, post } from '../api.ts';
import { Button, type ButtonProps } from './button.tsx';
import { toast } from './toast.tsx';

interface DownloadProps extends Pick<ButtonProps, 'small'> {
  /** Path and query below `/v1/`. */
  readonly path: string;
  readonly file: string;
  readonly children: ComponentChildren;
}

/** Saves an answer as a file, from a single-use address: a browser that follows a link does not send the key. */
export function Download({ path, file, ...rest }: DownloadProps) {
  return <Button {...rest} onClick={() => void save(path, file)} />;
}

async function save(path: string, file: string): Promise<void> {
  try {
    const { address } = await post<{ readonly address: string }>('/v1/downloads', { path });
    const link = Object.assign(document.createElement('a'), { href: address, download: file });
    link.click();
  } catch (error) {
    toast(asProblem(error).message, { kind: 'refused' });
  }
}
