/**
 * What a registry said of a tag or a digest. A digest is only in it when it is certain; each problem is
 * one sentence that names the registry and the repository.
 */
export type RegistryAnswer =
  | { readonly kind: 'found'; readonly digest: string }
  | { readonly kind: 'missing' }
  | RegistryProblem;

export interface RegistryProblem {
  /**
   * `refused`: it wants other credentials. `unreachable`: it gave no answer, and may give one later.
   * `nonsense`: it gave one that can't be used.
   */
  readonly kind: 'refused' | 'unreachable' | 'nonsense';
  readonly problem: string;
}
