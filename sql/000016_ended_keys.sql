-- Keys that were revoked or have expired, by when: housekeeping removes them once the security telemetry looks back no further.
create index api_keys_ended on api_keys (coalesce(revoked_at, expires_at)) where revoked_at is not null or expires_at is not null;
