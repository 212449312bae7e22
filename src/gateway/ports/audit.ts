// What the other services tell the audit log.
/** Fields every audit event gets by itself: uid, time, cluster_name, and ei unless it is given. The rest is by code. */
export interface AuditEntry {
  readonly code: string;
  readonly [field: string]: unknown;
}

/** Resolves when the event is committed. Rejects when it could not be kept. */
export interface AuditLog {
  /** Resolves when it is kept. `mayWait`: nobody waits for it, and it may share a commit with what comes within some milliseconds. */
  emit(entry: AuditEntry, mayWait?: boolean): Promise<void>;
}
