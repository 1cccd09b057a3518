import type { ImageRepository } from '../../kubernetes/image-repositories/objects.js';
import type { Handling } from '../handling.js';
import { readRepositoryHistory } from './repository-history.js';

/** What commands can do for ImageRepositories. */
export const repositoryHandling: Handling<ImageRepository> = {
  history: readRepositoryHistory,
};
