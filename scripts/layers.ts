import { fileURLToPath } from 'node:url';
import { checkLayers } from './layers/check.ts';

const { modules, imports, violations } = await checkLayers(
  fileURLToPath(new URL('..', import.meta.url)),
);
for (const { rule, file, message } of violations) console.error(`${file}: ${message} (${rule})`);
console.log(`${modules} modules, ${imports} imports, ${violations.length} violations`);
process.exitCode = violations.length > 0 ? 1 : 0;
