import type { Page } from 'playwright-core';
import { type RunningConsole, startConsole } from '../../packages/console/src/testing/console.ts';
import {
  operate,
  operatedConfig,
  stuckArchives,
} from '../../packages/console/src/testing/operated.ts';
import { storeInTrouble } from '../../packages/console/src/testing/trouble.ts';

export interface Picture {
  readonly file: string;
  readonly image: Buffer;
}

interface Shot {
  readonly name: string;
  readonly path: string;
  readonly width?: number;
  readonly height?: number;
}

const QUALITY = 60;
const PHONE = { width: 390, height: 844 };

/** Every view, dark and light, and on a phone those that somebody on call opens there. */
function shotsOf(ids: Readonly<Record<string, readonly string[]>>): readonly Shot[] {
  const dead = ids.report?.at(-1) ?? '';
  const parked = ids.charge?.[0] ?? '';
  return [
    { name: 'overview', path: '/' },
    { name: 'dead-letters', path: `/dead?q=handler:report&open=${dead}` },
    { name: 'jobs', path: '/jobs' },
    { name: 'job', path: `/jobs/${parked}` },
    { name: 'stuck', path: '/stuck' },
    { name: 'control', path: '/control' },
    { name: 'control-engage', path: '/control?act=engage&scope=queue:billing' },
    { name: 'control-release', path: '/control?act=release' },
    { name: 'bulk', path: '/ops/inc-6-reports' },
    { name: 'bulk-dialog', path: '/dead?q=handler:import&act=requeue&of=all' },
    { name: 'escalations', path: '/escalations' },
    { name: 'policies', path: '/policies/compare?a=invoice&b=runs.default' },
    { name: 'policies-review', path: '/policies' },
    {
      name: 'policies-try',
      path: '/policies/try?a=invoice&max_attempts=5&down=600&w=7d',
    },
    { name: 'sources', path: '/sources' },
    { name: 'audit', path: '/audit' },
    { name: 'health', path: '/health' },
    { name: 'overview-phone', path: '/', ...PHONE },
    { name: 'control-phone', path: '/control', ...PHONE },
  ];
}

/** A healthy installation, but for its disk. */
const DOCTOR = {
  store: 'postgres://db.internal/production',
  ...{ ok: true, jobs_read: 0, put_back: [] },
  checks: ['store', 'schema', 'disk', 'clocks', 'workers', 'schedules', 'brokers'].map((name) => ({
    name,
    result: name === 'disk' ? ('warning' as const) : ('ok' as const),
  })),
  findings: [
    {
      check: 'disk',
      level: 'warning' as const,
      message: '4 % of the disk are free.',
      remedy: 'Free some, or move the store to a larger disk.',
      jobs: [],
    },
  ],
};

/** @param names only these; none: all. */
export async function* takePictures(names: readonly string[]): AsyncGenerator<Picture> {
  const { store, ids } = await storeInTrouble();
  await operate(store);
  const config = operatedConfig();
  const sweep = stuckArchives();
  const running = await startConsole({
    store,
    config: () => config,
    parts: { sweeps: async () => [sweep], doctor: async () => DOCTOR },
  });
  try {
    for (const shot of shotsOf(ids)) {
      if (names.length > 0 && !names.includes(shot.name)) continue;
      for (const theme of ['dark', 'light'] as const) {
        yield { file: `${shot.name}-${theme}.webp`, image: await taken(running, shot, theme) };
      }
    }
  } finally {
    await running.close();
  }
}

async function taken(
  running: RunningConsole,
  shot: Shot,
  theme: 'dark' | 'light',
): Promise<Buffer> {
  const { path, width, height } = shot;
  const page = await running.open(path, {
    theme,
    ...(width && { width }),
    ...(height && { height }),
  });
  await settled(page);
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', {
    format: 'webp',
    quality: QUALITY,
  });
  await page.context().close();
  return Buffer.from(data, 'base64');
}

/** All requests but the stream are answered, and what they brought is drawn. */
async function settled(page: Page): Promise<void> {
  await page.waitForFunction(() => document.querySelector('.skeleton') === null);
  await page.waitForTimeout(700);
}
