import type { KubernetesClient } from '../../src/kubernetes/client.js';
import { resources } from '../../src/kubernetes/resources.js';

interface Place {
  readonly namespace: string;
  readonly cluster: { readonly client: KubernetesClient };
}

/**
 * An ImageRepository whose registry never answers: a test says what its tag stands for. The spec names that tag,
 * since what is known of a tag that nobody asks for is forgotten at the worker's next look; and images are of this
 * repository, since those of others are. So nothing that the worker writes takes away what the test has said.
 */
export class SilentRepository {
  private constructor(
    private readonly place: Place,
    private readonly name: string,
    private readonly tag: string,
  ) {}

  static async create(place: Place, name: string, tag = 'latest'): Promise<SilentRepository> {
    const repository = new SilentRepository(place, name, tag);
    await place.cluster.client.create(
      resources.imageRepositories,
      {
        metadata: { name, namespace: place.namespace },
        spec: { repository: `${host}/${name}`, tags: [tag], intervalSeconds: 3_600 },
      },
      { strict: true },
    );
    return repository;
  }

  image(sign: string): string {
    return silentImage(this.name, sign);
  }

  /** The tag stands for an image from now on. */
  async set(sign: string, over: object = {}): Promise<void> {
    const tags = [{ tag: this.tag, image: this.image(sign), digest: digestOf(sign), ...over }];
    const { cluster, namespace } = this.place;
    await cluster.client.patch(
      resources.imageRepositories,
      namespace,
      this.name,
      'merge',
      { status: { tags } },
      { subresource: 'status' },
    );
  }
}

const host = 'registry.invalid';

/** Example: `a` → `sha256:aaaa…` */
export const digestOf = (sign: string): string => `sha256:${sign.repeat(64)}`;

export const silentImage = (name: string, sign: string): string =>
  `${host}/${name}@${digestOf(sign)}`;
