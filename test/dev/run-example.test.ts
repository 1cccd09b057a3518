import { expect, test } from '@jest/globals';

import type { Deployment } from '../../src/kubernetes/objects.js';
import { chooseNextImage, exampleImages } from '../../src/dev/run-example.js';

const running = (image: string): Deployment => ({
  metadata: { name: 'hello' },
  spec: {
    selector: {},
    template: { spec: { containers: [{ name: 'web', image }] } },
  },
});

test.each([
  [undefined, exampleImages[1]],
  [running(exampleImages[0]), exampleImages[1]],
  [running(exampleImages[1]), exampleImages[0]],
  [running('nginx:404'), exampleImages[1]],
])('the next image is always another than that of now', (current, next) => {
  expect(chooseNextImage(current)).toBe(next);
});
