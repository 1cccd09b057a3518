import type { ImageSource } from '../../../domain/deployment-config/triggers.js';

/** Which tags DeploymentConfigs name of which repositories. */
export class AskedTags {
  private readonly byConfig = new Map<string, string>();
  private readonly byRepository = new Map<string, Map<string, readonly string[]>>();

  /** Takes note of what a config names, and returns the repositories of which that has changed. */
  note(config: string, sources: readonly ImageSource[]): readonly string[] {
    const named = new Map<string, string[]>();
    for (const { namespace, repository, tag } of sources) {
      const id = `${namespace}/${repository}`;
      named.set(id, [...(named.get(id) ?? []), tag]);
    }
    const text = JSON.stringify([...named]);
    const before = this.byConfig.get(config);
    if (text === (before ?? '[]')) return [];
    if (named.size === 0) this.byConfig.delete(config);
    else this.byConfig.set(config, text);
    const old = before === undefined ? [] : (JSON.parse(before) as [string, string[]][]);
    const touched = new Set([...old.map(([id]) => id), ...named.keys()]);
    for (const id of touched) this.set(id, config, named.get(id));
    return [...touched];
  }

  of(repository: string): readonly string[] {
    return [...new Set([...(this.byRepository.get(repository)?.values() ?? [])].flat())];
  }

  private set(repository: string, config: string, tags: readonly string[] | undefined): void {
    const configs = this.byRepository.get(repository) ?? new Map<string, readonly string[]>();
    if (tags === undefined) configs.delete(config);
    else configs.set(config, tags);
    if (configs.size === 0) this.byRepository.delete(repository);
    else this.byRepository.set(repository, configs);
  }
}
