import {
  errors,
  type Operation,
  openApiDocument,
  operationList,
  operationMatcher,
  reasonsOf,
} from '@waymark/contracts';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormatsModule from 'ajv-formats';
import type { Answer } from './http-call.ts';

const addFormats = addFormatsModule as unknown as (ajv: Ajv2020) => void;
/** The OpenAPI document that answers are checked against. */
export const openApi: ReturnType<typeof openApiDocument> = openApiDocument({
  publicUrl: 'http://localhost',
  sessionCookie: 'waymark_session',
});
const match = operationMatcher(operationList);
const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats(ajv);
ajv.addSchema(openApi as object, 'openapi');

const pointer = (part: string) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'));

interface DeclaredResponse {
  content?: Record<string, { examples?: object }>;
  headers?: Record<string, unknown>;
}

/**
 * Throws when an answer does not match openapi.json: an undeclared status or error code, a body that does not
 * fit its schema, a missing declared header. `path` is below the base path, without query.
 */
export function checkAnswer(method: string, path: string, answer: Answer): void {
  const where = `${method} ${path} -> ${answer.status}`;
  if (method === 'OPTIONS' && answer.status === 204) return;
  const found = match(method === 'HEAD' ? 'GET' : method, path);
  if (!found || 'allow' in found) {
    if (![400, 404, 405, 429, 501].includes(answer.status)) throw new Error(`${where}: no such operation`);
    if (!(answer.body?.error in errors)) throw new Error(`${where}: not an error body: ${answer.text}`);
    return;
  }
  checkDeclared(found.match.operation, answer, where, method === 'HEAD');
}

/** A code with reasons has one of them. OpenAPI cannot say so where a status has several codes. */
function checkReason({ body, text }: Answer, where: string): void {
  const reasons = reasonsOf(body.error).map(([reason]) => reason);
  if (reasons.length > 0 ? !reasons.includes(body.reason) : 'reason' in body) {
    throw new Error(`${where}: not a reason of ${body.error}: ${text}`);
  }
}

function checkDeclared(operation: Operation, answer: Answer, where: string, isHead: boolean): void {
  const parts = ['paths', operation.path, operation.method.toLowerCase(), 'responses', String(answer.status)];
  let node: unknown = openApi;
  for (const part of parts) node = (node as Record<string, unknown> | undefined)?.[part];
  const shared = (node as { $ref?: string } | undefined)?.$ref?.split('/').at(-1);
  if (shared) parts.splice(0, parts.length, 'components', 'responses', shared);
  const declared = (shared ? openApi.components?.responses?.[shared] : node) as DeclaredResponse | undefined;
  if (!declared) throw new Error(`${where}: openapi.json does not declare this status: ${answer.text}`);
  for (const name of Object.keys(declared.headers ?? {})) {
    const described = openApi.components?.headers?.[name] as { required?: boolean } | undefined;
    if (described?.required && !(name.toLowerCase() in answer.headers))
      throw new Error(`${where}: lacks header ${name}`);
  }
  if (isHead) return;
  const type = answer.headers['content-type'] ?? '';
  const declaredTypes = Object.keys(declared.content ?? {});
  if (declaredTypes.length === 0) {
    if (answer.text !== '') throw new Error(`${where}: declared without a body, has one: ${answer.text}`);
    return;
  }
  const declaredType = declaredTypes.find((candidate) => type.split(';')[0] === candidate.split(';')[0]);
  if (!declaredType) throw new Error(`${where}: content type ${type}, declared ${declaredTypes.join()}`);
  if (declaredType !== 'application/json') return;
  const schema = [...parts, 'content', declaredType, 'schema'].map(pointer).join('/');
  const validator = ajv.getSchema(`openapi#/${schema}`)!;
  if (answer.status >= 400) {
    const { examples = {} } = declared.content![declaredType]!;
    if (!(answer.body.error in examples)) throw new Error(`${where}: undeclared error code: ${answer.text}`);
    checkReason(answer, where);
  }
  if (!validator(answer.body)) {
    throw new Error(
      `${where}: does not match openapi.json: ${ajv.errorsText(validator.errors)}\n${answer.text}`,
    );
  }
}
