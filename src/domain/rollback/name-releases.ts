import type { RollbackReport } from './report.js';
import type { RollbackWish } from './wish.js';

/**
 * Wishes as a look has understood them: when it is taken again, "the last one before" is still the version that
 * was meant.
 */
export function nameReleases<Member extends { readonly name: string; readonly wish: RollbackWish }>(
  members: readonly Member[],
  { configs }: RollbackReport,
): readonly Member[] {
  return members.map((member) => {
    const examined = configs.find(({ name }) => name === member.name);
    if (examined === undefined) return member;
    return { ...member, wish: { ...member.wish, release: examined.to } };
  });
}
