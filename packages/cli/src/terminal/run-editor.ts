import { spawn } from 'node:child_process';

/** Runs an editor on this terminal. It may be a command with arguments, as `code --wait`, so a shell takes it apart. */
export function runEditor(editor: string, file: string): Promise<number> {
  return new Promise((resolve, reject) => {
    // The file's name is an argument of its own, so nothing in it is taken for a command.
    const child = spawn('sh', ['-c', `${editor} "$1"`, 'sh', file], { stdio: 'inherit' });
    child.on('error', reject);
    child.on('close', (code) => resolve(code ?? 1));
  });
}
