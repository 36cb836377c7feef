import type { Action, ResourceCall } from '../document/resource.js';
import { conflictSentence, EndpointsError } from '../wire/endpoints.error.js';
import { needsHeader, takesHeader, type RecordRequests } from './record.requests.js';
import type { ReadOptions, RecordData, RecordId, VersionedRecord, WriteOptions } from './record.query.js';
import type { RecordReads } from './record.reads.js';
import { changedValues, shownRecord, writtenRecord } from './record.shape.js';
import { isContained, type VersionMemory } from './version.memory.js';

/** Writes single records of one resource. */
export class RecordWrites {
  constructor(
    private readonly requests: RecordRequests,
    private readonly reads: RecordReads,
    private readonly versions: VersionMemory,
  ) {}

  /** Creates a record. Where the service reads a key, the request has one, so that it may be sent again. */
  async create(data: RecordData, options: ReadOptions = {}): Promise<VersionedRecord> {
    const call = this.requests.required('create');
    const headers: Record<string, string> = takesHeader(call, 'Idempotency-Key')
      ? { 'Idempotency-Key': `"${newKey()}"` }
      : {};
    const body = this.written(call, data);
    const answer = await this.requests.ask(call, options, { body, headers });
    return this.#shown(answer, options);
  }

  /**
   * Changes a record: what is other than in `previous`. It names the version that `previous` is of, so that nothing that
   * somebody else wrote since is overwritten.
   * @throws EndpointsError that {@link EndpointsError.isConflict} where it has another version
   */
  async update(id: RecordId, data: RecordData, options: WriteOptions = {}): Promise<VersionedRecord> {
    const call = this.requests.required('update');
    const version = await this.#version(call, id, options, true);
    const body = changedValues(this.requests.found.resource, this.written(call, data), options.previous);
    const headers: Record<string, string> = version === undefined ? {} : { 'If-Match': version };
    const answer = await this.requests.ask(call, options, { id, body, headers });
    return this.#shown(answer, options, id);
  }

  /** Deletes a record; in the version of `previous`, where that is known. */
  async delete(id: RecordId, options: WriteOptions = {}): Promise<void> {
    const call = this.requests.required('delete');
    const version = await this.#version(call, id, options, needsHeader(call, 'If-Match'));
    const headers: Record<string, string> = version === undefined ? {} : { 'If-Match': version };
    await this.requests.ask(call, { path: options.path }, { id, headers });
    this.versions.forget(this.#path(options, id));
  }

  /** The body of a write. */
  written(call: ResourceCall, data: RecordData): RecordData {
    const { resource } = this.requests.found;
    return writtenRecord(resource, data, resource.reader.properties(resource.reader.body(call.operation)));
  }

  /**
   * The version that a write is about: the one that was said, that of what was seen, or the one that was read last. Where nobody
   * knows, the record is read, and has to be as it was seen.
   * @param isAsked true if the record may be read for it
   */
  async #version(
    call: ResourceCall,
    id: RecordId,
    { version, previous, ...options }: WriteOptions,
    isAsked: boolean,
  ): Promise<string | undefined> {
    if (version !== undefined) return version;
    if (!this.reads.isVersioned || !takesHeader(call, 'If-Match')) return undefined;
    const path = this.#path(options, id);
    const known = previous === undefined ? this.versions.latest(path) : this.versions.of(path, previous);
    if (known !== undefined || !isAsked) return known;
    if (previous === undefined && !needsHeader(call, 'If-Match')) return undefined;
    const current = await this.reads.get(id, { path: options.path });
    if (previous === undefined || isContained(previous, current.record)) return current.version;
    throw new EndpointsError(conflictSentence, 412);
  }

  #shown(
    { data, entityTag }: { readonly data: unknown; readonly entityTag: string | undefined },
    options: ReadOptions,
    id?: RecordId,
  ): VersionedRecord {
    const record = shownRecord(this.requests.found.resource, data);
    const known = id ?? (record['id'] as RecordId | undefined);
    if (known !== undefined) this.versions.keep(this.#path(options, known), record, entityTag);
    return { record, version: entityTag };
  }

  /** Versions are remembered by the path of the record, whatever is done with it. */
  #path(options: ReadOptions, id: RecordId): string {
    const call = (['get', 'update', 'delete'] satisfies Action[]).flatMap(
      (one) => this.requests.call(one) ?? [],
    )[0];
    return call === undefined ? '' : this.requests.path(call, options, id);
  }
}

/** A key that nobody else has. Without `randomUUID`, which pages that came without TLS do not have. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
