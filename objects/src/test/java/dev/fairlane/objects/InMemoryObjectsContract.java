package dev.fairlane.objects;

import java.time.InstantSource;

class InMemoryObjectsContract extends StoreContract {
    private final ObjectStore store = new InMemoryObjects(InstantSource.system());

    @Override
    ObjectStore store() {
        return store;
    }
}
