// Takes the pictures of docs/console anew: npm run console-captures.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { takePictures } from './console-captures/take-pictures.ts';

const directory = join(import.meta.dirname, '../docs/console');
mkdirSync(directory, { recursive: true });
for await (const { file, image } of takePictures(process.argv.slice(2))) {
  writeFileSync(join(directory, file), image);
  console.log(file, image.length);
}
