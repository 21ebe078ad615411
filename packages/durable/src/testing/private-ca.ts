import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ensureBinary, OPENSSL_PROGRAM } from '@redrive/testkit/services';

const run = promisify(execFile);
const KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];

/** An authority that no machine trusts, and a certificate of it for a name and an address. All in PEM. */
export async function privateCa(name: string, address: string) {
  await ensureBinary(OPENSSL_PROGRAM);
  const directory = await mkdtemp(join(tmpdir(), 'redrive-ca-'));
  const openssl = (...args: string[]) => run('openssl', args, { cwd: directory });
  const text = (file: string) => readFile(join(directory, file), 'utf8');
  try {
    const names = `subjectAltName=DNS:${name},IP:${address}\n`;
    await writeFile(join(directory, 'names'), names);
    const authority = ['-keyout', 'ca.key', '-out', 'ca.pem', '-subj', '/CN=Private authority'];
    await openssl('req', '-x509', ...KEY, ...authority, '-days', '2');
    const wish = ['-keyout', 'own.key', '-out', 'own.csr', '-subj', `/CN=${name}`];
    await openssl('req', ...KEY, ...wish);
    const signer = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-days', '1', '-extfile', 'names'];
    await openssl('x509', '-req', '-in', 'own.csr', ...signer, '-out', 'own.pem');
    const [ca, cert, key] = await Promise.all([text('ca.pem'), text('own.pem'), text('own.key')]);
    return { ca, cert, key };
  } finally {
    await rm(directory, { recursive: true });
  }
}
