import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { buildImageArchive, type ImageRequest } from './image-archive.js';
import { loadImage } from './load-image.js';

/** Makes an image and gives it to the real node; returns its name. */
export async function makeImage(stateFolder: string, request: ImageRequest): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'slipway-image-'));
  try {
    const archive = join(folder, 'image.tar');
    await writeFile(archive, buildImageArchive(request));
    await loadImage(stateFolder, archive);
    return request.name;
  } finally {
    await rm(folder, { recursive: true });
  }
}
