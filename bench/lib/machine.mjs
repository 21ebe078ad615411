import { readFileSync } from 'node:fs';
import { cpus, loadavg, release, totalmem, type } from 'node:os';

/** What a reader needs to know to place the figures. */
export function machineFacts() {
  const cores = cpus();
  return {
    cpu: cores[0]?.model ?? 'unknown',
    cores: cores.length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    system: `${type()} ${release()}`,
    loadBefore: Number(loadavg()[0].toFixed(2)),
    node: process.version,
    v8: process.versions.v8,
  };
}

/** Installed versions of what is measured, read from the packages themselves. */
export function installedVersions(names) {
  return Object.fromEntries(names.map((name) => [name, installedVersion(name)]));
}

/** The same of what the packages of Redrive depend on themselves. */
export function workspaceVersions(names) {
  return Object.fromEntries(names.map((name) => [name, installedVersion(name, '../..')]));
}

function installedVersion(name, folder = '..') {
  const manifest = new URL(`${folder}/node_modules/${name}/package.json`, import.meta.url);
  return JSON.parse(readFileSync(manifest, 'utf8')).version;
}
