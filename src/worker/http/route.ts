export type Method = 'GET' | 'PUT' | 'POST';

export interface ApiRequest {
  /** By which the log knows it. */
  readonly id: string;
  /** What stands in the path's `{…}`. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly authorization: string | undefined;
  /** Ends when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
  /** Reads the body as the route's rules say; not before it is known who asks. */
  json(): Promise<unknown>;
  /** Adds to the line that the log gets of this request. */
  note(fields: Readonly<Record<string, string>>): void;
}

export interface Answer {
  readonly code: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: { readonly json: unknown } | { readonly text: string };
}

export type JsonSchema = Readonly<Record<string, unknown>>;

/** What an answer of a route is, besides problems. */
export interface AnswerDescription {
  readonly description: string;
  /** JSON of that schema; without one the answer is text. */
  readonly schema?: JsonSchema;
}

export interface BodyRules {
  readonly description: string;
  readonly types: readonly string[];
  readonly limitBytes: number;
  readonly schema: JsonSchema;
}

/** Who may call: anyone, whom the cluster lets, or who knows the secret of an ImageRepository. */
export type Access = 'anyone' | 'cluster' | 'notification';

/** One endpoint: what the router serves and what /openapi.json tells of it. */
export interface Route {
  readonly method: Method;
  /** As OpenAPI writes it. Example: /deploymentConfigs/{name} */
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly access: Access;
  /** What parameters of the path mean, besides `name` and `namespace`. */
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: BodyRules;
  readonly answers: Readonly<Record<number, AnswerDescription>>;
  /** Codes of problems besides those that its access and body bring with them. */
  readonly problems?: Readonly<Record<number, string>>;
  /** Asked all the time by machines, so that the log has it only at its finest. */
  readonly isQuiet?: boolean;
  handle(request: ApiRequest): Promise<Answer> | Answer;
}
