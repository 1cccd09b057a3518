export type Fields = Readonly<Record<string, unknown>>;

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What tells the members of a list from each other, where that is not their name. */
const identities: Readonly<Record<string, (member: Fields) => string | undefined>> = {
  ports: ({ name, containerPort, protocol }) =>
    text(name) ?? `${String(containerPort)}/${text(protocol) ?? 'TCP'}`,
  volumeMounts: ({ mountPath }) => text(mountPath),
  volumeDevices: ({ devicePath }) => text(devicePath),
  envFrom: ({ prefix, configMapRef, secretRef }) => {
    const kind = isFields(secretRef) ? 'Secret' : 'ConfigMap';
    const { name } = isFields(secretRef) ? secretRef : isFields(configMapRef) ? configMapRef : {};
    return [text(prefix), `${kind}/${text(name) ?? ''}`].filter(Boolean).join(' ');
  },
  triggers: ({ type, imageChangeParams }) => {
    const { from, repositoryName, tag } = isFields(imageChangeParams) ? imageChangeParams : {};
    const { namespace, name } = isFields(from) ? from : {};
    const source = text(name) ?? [text(repositoryName), text(tag)].filter(Boolean).join(':');
    const place = [text(namespace), source].filter(Boolean).join('/');
    return [text(type), place].filter(Boolean).join(' ');
  },
  items: ({ key }) => text(key),
};

/**
 * The members of a list by what identifies them: their name in most lists, their place where there is none.
 * Of several with the same name each later one gets a number.
 */
export function identifyMembers(list: string, members: readonly Fields[]): Map<string, Fields> {
  const identify = identities[list] ?? (({ name }: Fields) => text(name));
  const found = new Map<string, Fields>();
  members.forEach((member, index) => {
    const id = identify(member) ?? String(index);
    let unique = id;
    for (let count = 2; found.has(unique); count += 1) unique = `${id} #${count}`;
    found.set(unique, member);
  });
  return found;
}

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;
