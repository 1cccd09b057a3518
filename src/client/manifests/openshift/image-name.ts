/** A name by which images are pulled, taken apart. */
export interface ImageName {
  /** With the registry, as Docker's own shorthands mean it. Example: docker.io/library/nginx */
  readonly repository: string;
  readonly tag?: string;
  readonly digest?: string;
}

/** Example: registry.example.com:5000/shop/web:2 -> the repository registry.example.com:5000/shop/web, tag 2 */
export function parseImageName(text: string): ImageName | undefined {
  const [, name = '', tag, digest] =
    /^([\w.-]+(?::\d+(?=\/))?(?:\/[\w.-]+)*)(?::([\w][\w.-]*))?(?:@(\w+:[0-9a-fA-F]+))?$/.exec(
      text,
    ) ?? [];
  if (name === '') return undefined;
  return {
    repository: withRegistry(name),
    ...(tag === undefined ? {} : { tag }),
    ...(digest === undefined ? {} : { digest }),
  };
}

function withRegistry(name: string): string {
  const [first = '', ...rest] = name.split('/');
  if (rest.length === 0) return `docker.io/library/${name}`;
  return /[.:]/.test(first) || first === 'localhost' ? name : `docker.io/${name}`;
}
