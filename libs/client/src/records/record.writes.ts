import type { ResourceCall } from '../document/resource.js';
import { conflictSentence, EndpointsError } from '../wire/endpoints.error.js';
import { isObject } from '../wire/names.js';
import { keyHeader } from './idempotency.key.js';
import type { Memories } from './list.reads.js';
import { headerOf, type RecordRequests } from './record.requests.js';
import type { ReadOptions, RecordData, RecordId, VersionedRecord, WriteOptions } from './record.query.js';
import type { ParentMemory } from './parent.memory.js';
import type { RecordReads } from './record.reads.js';
import { changedValues, shownRecord, withoutUnseen, writtenRecord } from './record.shape.js';
import { comparablePart, isContained, type VersionMemory } from './version.memory.js';

/** Writes single records of one resource. */
export class RecordWrites {
  readonly #requests: RecordRequests;
  readonly #reads: RecordReads;
  readonly #versions: VersionMemory;
  readonly #parents: ParentMemory;

  constructor(requests: RecordRequests, reads: RecordReads, { versions, parents }: Memories) {
    this.#requests = requests;
    this.#reads = reads;
    this.#versions = versions;
    this.#parents = parents;
  }

  /** Creates a record. Where the service reads a key, the request has one, so that it may be sent again. */
  async create(data: RecordData, options: ReadOptions = {}): Promise<VersionedRecord> {
    const call = this.#requests.required('create');
    const body = this.#written(call, data);
    const answer = await this.#requests.ask(call, options, { body, headers: keyHeader(call) });
    return this.#shown(answer, options);
  }

  /**
   * Changes a record: what is other than in `previous`. It names the version that `previous` is of, so that nothing that
   * somebody else wrote since is overwritten.
   * @throws EndpointsError that {@link EndpointsError.isConflict} where it has another version
   */
  async update(id: RecordId, data: RecordData, options: WriteOptions = {}): Promise<VersionedRecord> {
    const call = this.#requests.required('update');
    const version = await this.#version(call, id, options, true);
    const { resource } = this.#requests;
    const seen = [options.previous, this.#parents.of(this.#requests.place(options, id))];
    const written = withoutUnseen(resource, this.#written(call, data), seen);
    const body = changedValues(resource, written, options.previous);
    try {
      const parts = { id, body, version, isRepeatable: isRepeatable(body) };
      return this.#shown(await this.#requests.ask(call, options, parts), options, id);
    } catch (error) {
      // The first one was done where the record has what was sent. Else nobody knows.
      if (refusedAgain(error)?.status !== 412 || !this.#reads.isVersioned) throw error;
      const current = await this.#reads.get(id, { ...options, fields: undefined });
      if (isContained(shownRecord(resource, body), current.record)) return current;
      throw error;
    }
  }

  /** Deletes a record; in the version of `previous`, where that is known. */
  async delete(id: RecordId, options: WriteOptions = {}): Promise<void> {
    const call = this.#requests.required('delete');
    const version = await this.#version(call, id, options);
    try {
      await this.#requests.ask(call, { path: options.path }, { id, version, isRepeatable: true });
    } catch (error) {
      const refused = refusedAgain(error);
      // A record that is still there was not deleted; one that is gone was.
      if (refused?.status !== 404) throw refused ?? error;
    }
    this.#versions.forget(this.#requests.place(options, id));
  }

  /** The version that a change of the record would name; undefined where none does. */
  async version(id: RecordId, options: WriteOptions = {}): Promise<string | undefined> {
    const call = this.#requests.call('update');
    return call === undefined ? undefined : this.#version(call, id, options, true);
  }

  /** The body of a write. */
  #written(call: ResourceCall, data: RecordData): RecordData {
    const { resource } = this.#requests;
    return writtenRecord(resource, data, resource.reader.properties(resource.reader.body(call.operation)));
  }

  /**
   * The version that a write is about: the one that was said, that of what was seen, or the one that was read last. Where nobody
   * knows, the record is read, and has to be as it was seen.
   * @param isAsked true if the record may be read for it, where the operation does not insist on a version
   */
  async #version(
    call: ResourceCall,
    id: RecordId,
    { version, previous, ...options }: WriteOptions,
    isAsked = false,
  ): Promise<string | undefined> {
    if (version !== undefined) return version;
    const header = headerOf(call, 'If-Match');
    if (!this.#reads.isVersioned || header === undefined) return undefined;
    const isRequired = header.required === true;
    const path = this.#requests.place(options, id);
    const latest = this.#versions.latest(path);
    const known = previous === undefined ? latest?.version : this.#versions.of(path, previous);
    if (known !== undefined || !(isAsked || isRequired)) return known;
    const seen = previous ?? latest?.record;
    if (seen === undefined && !isRequired) return undefined;
    const current = await this.#reads.get(id, { path: options.path });
    const { resource } = this.#requests;
    const compared = seen === undefined ? {} : comparablePart(seen, current.record, resource);
    if (isContained(compared, current.record)) return current.version;
    throw new EndpointsError(conflictSentence, 412);
  }

  #shown(
    { data, entityTag }: { readonly data: unknown; readonly entityTag: string | undefined },
    options: ReadOptions,
    id?: RecordId,
  ): VersionedRecord {
    const { resource } = this.#requests;
    const record = shownRecord(resource, data);
    const known = id ?? (record['id'] as RecordId | undefined);
    if (known !== undefined) {
      const place = this.#requests.place(options, known);
      this.#versions.keep(place, record, entityTag);
      this.#parents.keep(place, record, resource);
    }
    return { record, version: entityTag };
  }
}

/** True for a body that does the same when it is sent twice: an object, in a list, too, may be what is to be done with other records. */
export function isRepeatable(body: RecordData): boolean {
  return !Object.values(body).flat().some(isObject);
}

/** The refusal of a write that was sent again after a 503. */
function refusedAgain(error: unknown): EndpointsError | undefined {
  return error instanceof EndpointsError && error.cause instanceof EndpointsError ? error.cause : undefined;
}
