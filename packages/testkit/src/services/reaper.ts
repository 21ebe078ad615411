// The program that cleans up behind one service. It is a process of its own because the one that started the service
// may be killed at any moment: the pipe to the reaper closes then, whatever the reason, and that is the sign to begin.
//
//   node reaper.ts <dir> <stop signal> <patience in ms> <uid> <gid>
//
//   "kill\n" on stdin   kill every process of the service, keep its files, answer "killed\n"
//   stdin closed        end every process of the service, remove its files, exit

import { rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { endServiceProcesses, killServiceProcesses } from './service-processes.ts';

const [dir = '', stopSignal = '', patienceMs = '', uid = '', gid = ''] = process.argv.slice(2);

// Become the service's user: in a container even root may not look at another user's processes. Done here and not by
// the process that spawns this, because that user may not be able to reach the Node binary or this file.
if (process.getuid?.() === 0 && Number(uid) !== 0) {
  process.setgroups?.([]);
  process.setgid?.(Number(gid));
  process.setuid?.(Number(uid));
}

for await (const command of createInterface({ input: process.stdin })) {
  if (command !== 'kill') continue;
  await killServiceProcesses(dir);
  process.stdout.write('killed\n');
}
// The caller passes the name of a signal; an argument is only known to be a string.
await endServiceProcesses(dir, stopSignal as NodeJS.Signals, Number(patienceMs));
rmSync(dir, { recursive: true, force: true, maxRetries: 5 });
