// `npm run release`: turns the notes of .changeset/ into a section of CHANGELOG.md and raises all versions. It publishes
// nothing: look at the difference, commit it, then publish the tarballs of `npm run pack`.
import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Note, unreleasedVersion, withRelease } from './release/changelog.ts';

interface ReleasePlan {
  readonly changesets: readonly { summary: string; releases: readonly { type: Note['type'] }[] }[];
  readonly releases: readonly { readonly newVersion: string }[];
}

const WEIGHT = ['patch', 'minor', 'major'] as const;

function run(program: string, ...args: string[]): void {
  const { status } = spawnSync(program, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed`);
}

function readPlan(): ReleasePlan {
  const directory = mkdtempSync(join(tmpdir(), 'redrive-release-'));
  try {
    const file = join(directory, 'plan.json');
    run('npx', 'changeset', 'status', '--output', file);
    return JSON.parse(readFileSync(file, 'utf8'));
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** The heaviest of the packages that a note names: they share one version. */
function noteOf({ summary, releases }: ReleasePlan['changesets'][number]): Note {
  const type = WEIGHT[Math.max(...releases.map((release) => WEIGHT.indexOf(release.type)))];
  return { summary, type: type ?? 'patch' };
}

/** Changesets knows the packages; the root has the same version, and so has the lockfile. */
function raiseVersions(version: string): void {
  run('npx', 'changeset', 'version');
  const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
  writeFileSync('package.json', `${JSON.stringify({ ...manifest, version }, null, 2)}\n`);
  run('npm', 'install', '--package-lock-only', '--ignore-scripts');
}

const { changesets, releases } = readPlan();
const changelog = readFileSync('CHANGELOG.md', 'utf8');
const first = unreleasedVersion(changelog);
const version = first ?? releases[0]?.newVersion;
if (version === undefined || changesets.length === 0) {
  console.log(
    'Nothing to release: there is no note in .changeset. Write one with npm run changeset.',
  );
} else {
  writeFileSync('CHANGELOG.md', withRelease(changelog, version, changesets.map(noteOf)));
  // The manifests have the version of the first release already.
  if (first === undefined) raiseVersions(version);
  else for (const note of globSync('.changeset/*.md', { exclude: ['**/README.md'] })) rmSync(note);
  console.log(
    `CHANGELOG.md has ${version}. Check it, commit it, then publish the tarballs of npm run pack.`,
  );
}
