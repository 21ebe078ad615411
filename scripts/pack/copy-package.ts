import { cpSync, existsSync, globSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';

/** Copies a built package, without what the compiler left of sources that were deleted: a tarball would carry it to users. */
export function copyPackage(folder: string, home: string): void {
  cpSync(folder, home, { recursive: true, filter: (path) => basename(path) !== 'node_modules' });
  const built = globSync('dist/**/*.{js,d.ts,js.map,d.ts.map}', {
    cwd: home,
    exclude: ['dist/bundle/**', 'dist/console/**'],
  });
  for (const file of built) {
    const source = file.replace(/^dist/, 'src').replace(/(\.d\.ts|\.js)(\.map)?$/, '.ts');
    if (!existsSync(join(home, source))) rmSync(join(home, file));
  }
}
