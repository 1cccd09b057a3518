import { fileURLToPath } from 'node:url';

/** The clone's top folder: this file is two folders below it, as source and as built. */
export const packageRoot = fileURLToPath(new URL('../../', import.meta.url)).replace(/\/$/, '');
