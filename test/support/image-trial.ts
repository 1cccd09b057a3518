import type { DeploymentConfig } from '../../src/kubernetes/deployment-configs/objects.js';
import { imageRepositoryAnnotations } from '../../src/kubernetes/image-repositories/annotations.js';
import type {
  ImageRepository,
  ImageRepositoryCondition,
} from '../../src/kubernetes/image-repositories/objects.js';
import type { KubernetesObject } from '../../src/kubernetes/objects.js';
import { resources } from '../../src/kubernetes/resources.js';
import type { ConfigTrial } from './config-trial.js';
import type { RegistryServer } from './registry.js';
import { waitFor } from './wait-for.js';

interface EventSeen extends KubernetesObject {
  reason: string;
  note: string;
  regarding: { name: string };
}

/** The ImageRepositories of a trial's namespace. */
export class ImageTrial {
  constructor(private readonly trial: ConfigTrial) {}

  /** It is asked at long intervals, so that whatever comes soon has another cause. */
  create(name: string, repository: string, spec: object = {}): Promise<ImageRepository> {
    return this.trial.cluster.client.create(
      resources.imageRepositories,
      {
        metadata: { name, namespace: this.trial.namespace },
        spec: { repository, insecure: true, intervalSeconds: 3_600, ...spec },
      },
      { strict: true },
    );
  }

  get(name: string): Promise<ImageRepository> {
    return this.trial.cluster.client.get(resources.imageRepositories, this.trial.namespace, name);
  }

  /** Pushes an image and returns it as a pod would run it. */
  async push(
    registry: RegistryServer,
    repository: string,
    tag: string,
    text: string,
  ): Promise<string> {
    const digest = await registry.writer.pushImage(repository, tag, text);
    return `${registry.host}/${repository}@${digest}`;
  }

  /** Says that a tag was pushed, as whoever hears of it from the registry does. */
  async tellPushed(
    name: string,
    tag: string,
    digest = `sha256:${'0'.repeat(64)}`,
  ): Promise<number> {
    const at = new Date().toISOString();
    const pushed = JSON.stringify({ tag, digest, at });
    await this.trial.cluster.client.patch(
      resources.imageRepositories,
      this.trial.namespace,
      name,
      'merge',
      { metadata: { annotations: { [imageRepositoryAnnotations.pushed]: pushed } } },
    );
    return Date.now();
  }

  async untilImage(
    name: string,
    tag: string,
    image: string,
    withinMs?: number,
  ): Promise<ImageRepository> {
    return waitFor(
      `${name}:${tag} stands for ${image}`,
      async () => {
        const repository = await this.get(name);
        return imageOf(repository, tag) === image ? repository : undefined;
      },
      withinMs,
    );
  }

  async untilReady(name: string, reason: string): Promise<ImageRepositoryCondition> {
    return waitFor(`Ready of ${name} has reason ${reason}`, async () => {
      const ready = conditionOf(await this.get(name), 'Ready');
      return ready?.reason === reason ? ready : undefined;
    });
  }

  async untilEvent(about: string, reason: string): Promise<EventSeen> {
    return waitFor(`there is an event ${reason} about ${about}`, async () => {
      const { items } = await this.trial.cluster.client.list<EventSeen>(
        resources.events,
        this.trial.namespace,
      );
      return items.find((event) => event.reason === reason && event.regarding.name === about);
    });
  }
}

export const imageOf = ({ status }: ImageRepository, tag: string): string | undefined =>
  status?.tags?.find((entry) => entry.tag === tag)?.image;

export const conditionOf = (
  { status }: ImageRepository,
  type: string,
): ImageRepositoryCondition | undefined =>
  status?.conditions?.find((condition) => condition.type === type);

export const causesOf = ({ status }: DeploymentConfig): string[] =>
  status?.details?.causes?.map(({ type }) => type) ?? [];

/** A trigger in today's form. */
export const imageTrigger = (from: string, containerNames: string[], automatic = true) => ({
  type: 'ImageChange',
  imageChangeParams: {
    automatic,
    containerNames,
    from: { kind: 'ImageStreamTag', name: from },
  },
});

export const configTrigger = { type: 'ConfigChange' } as const;
