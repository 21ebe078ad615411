import type { Page } from 'playwright-core';
import { type RunningConsole, startConsole } from '../../packages/console/src/testing/console.ts';
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
  const dead = ids.import?.at(-1) ?? '';
  const parked = ids.charge?.[0] ?? '';
  return [
    { name: 'overview', path: '/' },
    { name: 'dead-letters', path: `/dead?open=${dead}` },
    { name: 'jobs', path: '/jobs' },
    { name: 'job', path: `/jobs/${parked}` },
    { name: 'stuck', path: '/stuck' },
    { name: 'control', path: '/control' },
    { name: 'control-engage', path: '/control?act=engage&scope=queue:billing' },
    { name: 'bulk', path: '/ops' },
    { name: 'escalations', path: '/escalations' },
    { name: 'policies', path: '/policies' },
    { name: 'sources', path: '/sources' },
    { name: 'audit', path: '/audit' },
    { name: 'health', path: '/health' },
    { name: 'overview-phone', path: '/', ...PHONE },
    { name: 'control-phone', path: '/control', ...PHONE },
  ];
}

/** @param names only these; none: all. */
export async function* takePictures(names: readonly string[]): AsyncGenerator<Picture> {
  const { store, ids } = await storeInTrouble();
  const running = await startConsole({ store });
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
