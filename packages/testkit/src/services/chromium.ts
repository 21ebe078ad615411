import { type BinarySpec, ensureBinary } from './ensure-binary.ts';

/** The browser that `chromium` needs, with a font: without one no text has a width. */
export const CHROMIUM_PROGRAM: BinarySpec = {
  name: 'chromium',
  aptPackage: 'chromium fonts-inter',
};

/** How a library such as playwright-core launches the browser. */
export interface ChromiumLaunch {
  readonly executablePath: string;
  readonly args: string[];
}

/** Finds Debian's Chromium, or installs it. As root it runs without its sandbox, which root cannot have. */
export async function chromium(): Promise<ChromiumLaunch> {
  const executablePath = await ensureBinary(CHROMIUM_PROGRAM);
  const isRoot = process.getuid?.() === 0;
  // A small /dev/shm, as in containers, crashes large pages.
  return { executablePath, args: [...(isRoot ? ['--no-sandbox'] : []), '--disable-dev-shm-usage'] };
}
