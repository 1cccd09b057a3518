import type { Line } from '../output/line.js';
import { renderConfig } from './render-config.js';
import { renderDeployment } from './render-deployment.js';
import type { RenderOptions } from './render-parts.js';
import { renderRepository } from './render-repository.js';
import type { Tree } from './tree.js';

/** The lines of a tree: the object, and what hangs below it. */
export function renderTree(tree: Tree, options: RenderOptions): Line[] {
  switch (tree.kind) {
    case 'Deployment':
      return renderDeployment(tree, options);
    case 'DeploymentConfig':
      return renderConfig(tree, options);
    case 'ImageRepository':
      return renderRepository(tree, options);
  }
}

/** Trees below each other, with a free line between them. */
export function renderTrees(trees: readonly Tree[], options: RenderOptions): Line[] {
  return trees.flatMap((tree, index) => [
    ...(index === 0 ? [] : [[]]),
    ...renderTree(tree, options),
  ]);
}
