import { isText, listOf, mapOf, without, type JsonMap } from '../json-value.js';
import type { Conversion } from './conversion.js';

const group = 'rbac.authorization.k8s.io';

const subjectKinds: Readonly<Record<string, string>> = {
  SystemUser: 'User',
  SystemGroup: 'Group',
};

/** A RoleBinding of OpenShift as one of Kubernetes: the same fields, said more explicitly. */
export function convertRoleBinding(value: JsonMap): Conversion {
  const role = mapOf(value['roleRef']);
  if (!isText(role['name'])) return { mistakes: ['roleRef.name: is required'] };
  const named = listOf(value['subjects']).map((subject) => convertSubject(mapOf(subject)));
  // The two older lists say the same as `subjects`, which is what counts where it is there.
  const subjects = named.length > 0 ? named : readNames(value);
  return {
    object: {
      ...without(value, ['userNames', 'groupNames']),
      apiVersion: `${group}/v1`,
      roleRef: {
        apiGroup: group,
        kind: isText(role['namespace']) ? 'Role' : 'ClusterRole',
        name: role['name'],
      },
      subjects,
    },
    mistakes: [],
  };
}

function convertSubject(subject: JsonMap): JsonMap {
  const kind = isText(subject['kind']) ? subject['kind'] : 'User';
  const { name, namespace } = subject;
  if (kind === 'ServiceAccount') return { kind, name, ...(isText(namespace) ? { namespace } : {}) };
  return { apiGroup: group, kind: subjectKinds[kind] ?? kind, name };
}

function readNames(value: JsonMap): readonly JsonMap[] {
  const users = listOf(value['userNames']).map((name) => ({ apiGroup: group, kind: 'User', name }));
  const groups = listOf(value['groupNames']).map((name) => ({
    apiGroup: group,
    kind: 'Group',
    name,
  }));
  return [...users, ...groups];
}
