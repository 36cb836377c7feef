var __esDecorate = (this && this.__esDecorate) || function (ctor, descriptorIn, decorators, contextIn, initializers, extraInitializers) {
    function accept(f) { if (f !== void 0 && typeof f !== "function") throw new TypeError("Function expected"); return f; }
    var kind = contextIn.kind, key = kind === "getter" ? "get" : kind === "setter" ? "set" : "value";
    var target = !descriptorIn && ctor ? contextIn["static"] ? ctor : ctor.prototype : null;
    var descriptor = descriptorIn || (target ? Object.getOwnPropertyDescriptor(target, contextIn.name) : {});
    var _, done = false;
    for (var i = decorators.length - 1; i >= 0; i--) {
        var context = {};
        for (var p in contextIn) context[p] = p === "access" ? {} : contextIn[p];
        for (var p in contextIn.access) context.access[p] = contextIn.access[p];
        context.addInitializer = function (f) { if (done) throw new TypeError("Cannot add initializers after decoration has completed"); extraInitializers.push(accept(f || null)); };
        var result = (0, decorators[i])(kind === "accessor" ? { get: descriptor.get, set: descriptor.set } : descriptor[key], context);
        if (kind === "accessor") {
            if (result === void 0) continue;
            if (result === null || typeof result !== "object") throw new TypeError("Object expected");
            if (_ = accept(result.get)) descriptor.get = _;
            if (_ = accept(result.set)) descriptor.set = _;
            if (_ = accept(result.init)) initializers.unshift(_);
        }
        else if (_ = accept(result)) {
            if (kind === "field") initializers.unshift(_);
            else descriptor[key] = _;
        }
    }
    if (target) Object.defineProperty(target, contextIn.name, descriptor);
    done = true;
};
var __runInitializers = (this && this.__runInitializers) || function (thisArg, initializers, value) {
    var useValue = arguments.length > 2;
    for (var i = 0; i < initializers.length; i++) {
        value = useValue ? initializers[i].call(thisArg, value) : initializers[i].call(thisArg);
    }
    return useValue ? value : void 0;
};
import { Entity, ManyToOne, PrimaryKey, Property, Unique } from '@mikro-orm/decorators/es';
import { EmailColumn, TimestampColumn, defineColumns } from '@nest-endpoints/core';
let Country = (() => {
    let _classDecorators = [Entity()];
    let _classDescriptor;
    let _classExtraInitializers = [];
    let _classThis;
    let _code_decorators;
    let _code_initializers = [];
    let _code_extraInitializers = [];
    let _name_decorators;
    let _name_initializers = [];
    let _name_extraInitializers = [];
    let _region_decorators;
    let _region_initializers = [];
    let _region_extraInitializers = [];
    var Country = class {
        static { _classThis = this; }
        static {
            const _metadata = typeof Symbol === "function" && Symbol.metadata ? Object.create(null) : void 0;
            _code_decorators = [PrimaryKey({ type: 'string', length: 2 })];
            _name_decorators = [Property({ type: 'string', length: 100 })];
            _region_decorators = [Property({ type: 'string', nullable: true })];
            __esDecorate(null, null, _code_decorators, { kind: "field", name: "code", static: false, private: false, access: { has: obj => "code" in obj, get: obj => obj.code, set: (obj, value) => { obj.code = value; } }, metadata: _metadata }, _code_initializers, _code_extraInitializers);
            __esDecorate(null, null, _name_decorators, { kind: "field", name: "name", static: false, private: false, access: { has: obj => "name" in obj, get: obj => obj.name, set: (obj, value) => { obj.name = value; } }, metadata: _metadata }, _name_initializers, _name_extraInitializers);
            __esDecorate(null, null, _region_decorators, { kind: "field", name: "region", static: false, private: false, access: { has: obj => "region" in obj, get: obj => obj.region, set: (obj, value) => { obj.region = value; } }, metadata: _metadata }, _region_initializers, _region_extraInitializers);
            __esDecorate(null, _classDescriptor = { value: _classThis }, _classDecorators, { kind: "class", name: _classThis.name, metadata: _metadata }, null, _classExtraInitializers);
            Country = _classThis = _classDescriptor.value;
            if (_metadata) Object.defineProperty(_classThis, Symbol.metadata, { enumerable: true, configurable: true, writable: true, value: _metadata });
            __runInitializers(_classThis, _classExtraInitializers);
        }
        code = __runInitializers(this, _code_initializers, void 0);
        name = (__runInitializers(this, _code_extraInitializers), __runInitializers(this, _name_initializers, void 0));
        region = (__runInitializers(this, _name_extraInitializers), __runInitializers(this, _region_initializers, void 0));
        constructor() {
            __runInitializers(this, _region_extraInitializers);
        }
    };
    return Country = _classThis;
})();
export { Country };
let Author = (() => {
    let _classDecorators = [Entity()];
    let _classDescriptor;
    let _classExtraInitializers = [];
    let _classThis;
    let _id_decorators;
    let _id_initializers = [];
    let _id_extraInitializers = [];
    let _name_decorators;
    let _name_initializers = [];
    let _name_extraInitializers = [];
    let _country_decorators;
    let _country_initializers = [];
    let _country_extraInitializers = [];
    var Author = class {
        static { _classThis = this; }
        static {
            const _metadata = typeof Symbol === "function" && Symbol.metadata ? Object.create(null) : void 0;
            _id_decorators = [PrimaryKey({ type: 'integer', autoincrement: true })];
            _name_decorators = [Property({ type: 'string', length: 100 })];
            _country_decorators = [ManyToOne(() => Country, { nullable: true })];
            __esDecorate(null, null, _id_decorators, { kind: "field", name: "id", static: false, private: false, access: { has: obj => "id" in obj, get: obj => obj.id, set: (obj, value) => { obj.id = value; } }, metadata: _metadata }, _id_initializers, _id_extraInitializers);
            __esDecorate(null, null, _name_decorators, { kind: "field", name: "name", static: false, private: false, access: { has: obj => "name" in obj, get: obj => obj.name, set: (obj, value) => { obj.name = value; } }, metadata: _metadata }, _name_initializers, _name_extraInitializers);
            __esDecorate(null, null, _country_decorators, { kind: "field", name: "country", static: false, private: false, access: { has: obj => "country" in obj, get: obj => obj.country, set: (obj, value) => { obj.country = value; } }, metadata: _metadata }, _country_initializers, _country_extraInitializers);
            __esDecorate(null, _classDescriptor = { value: _classThis }, _classDecorators, { kind: "class", name: _classThis.name, metadata: _metadata }, null, _classExtraInitializers);
            Author = _classThis = _classDescriptor.value;
            if (_metadata) Object.defineProperty(_classThis, Symbol.metadata, { enumerable: true, configurable: true, writable: true, value: _metadata });
            __runInitializers(_classThis, _classExtraInitializers);
        }
        id = __runInitializers(this, _id_initializers, void 0);
        name = (__runInitializers(this, _id_extraInitializers), __runInitializers(this, _name_initializers, void 0));
        country = (__runInitializers(this, _name_extraInitializers), __runInitializers(this, _country_initializers, void 0));
        constructor() {
            __runInitializers(this, _country_extraInitializers);
        }
    };
    return Author = _classThis;
})();
export { Author };
let Book = (() => {
    let _classDecorators = [Entity()];
    let _classDescriptor;
    let _classExtraInitializers = [];
    let _classThis;
    let _id_decorators;
    let _id_initializers = [];
    let _id_extraInitializers = [];
    let _isbn_decorators;
    let _isbn_initializers = [];
    let _isbn_extraInitializers = [];
    let _title_decorators;
    let _title_initializers = [];
    let _title_extraInitializers = [];
    let _author_decorators;
    let _author_initializers = [];
    let _author_extraInitializers = [];
    let _pages_decorators;
    let _pages_initializers = [];
    let _pages_extraInitializers = [];
    let _price_decorators;
    let _price_initializers = [];
    let _price_extraInitializers = [];
    let _inPrint_decorators;
    let _inPrint_initializers = [];
    let _inPrint_extraInitializers = [];
    let _publishedOn_decorators;
    let _publishedOn_initializers = [];
    let _publishedOn_extraInitializers = [];
    let _launchAt_decorators;
    let _launchAt_initializers = [];
    let _launchAt_extraInitializers = [];
    let _remindAt_decorators;
    let _remindAt_initializers = [];
    let _remindAt_extraInitializers = [];
    let _contact_decorators;
    let _contact_initializers = [];
    let _contact_extraInitializers = [];
    let _notes_decorators;
    let _notes_initializers = [];
    let _notes_extraInitializers = [];
    let _created_decorators;
    let _created_initializers = [];
    let _created_extraInitializers = [];
    let _updated_decorators;
    let _updated_initializers = [];
    let _updated_extraInitializers = [];
    var Book = class {
        static { _classThis = this; }
        static {
            const _metadata = typeof Symbol === "function" && Symbol.metadata ? Object.create(null) : void 0;
            _id_decorators = [PrimaryKey({ type: 'uuid', onCreate: () => crypto.randomUUID() })];
            _isbn_decorators = [Property({ type: 'string', length: 13, nullable: true }), Unique()];
            _title_decorators = [Property({ type: 'string', length: 100 })];
            _author_decorators = [ManyToOne(() => Author, { nullable: true })];
            _pages_decorators = [Property({ type: 'integer', nullable: true })];
            _price_decorators = [Property({ type: 'double', nullable: true })];
            _inPrint_decorators = [Property({ type: 'boolean', default: true })];
            _publishedOn_decorators = [Property({ type: 'date', nullable: true })];
            _launchAt_decorators = [Property({ type: 'datetime', nullable: true })];
            _remindAt_decorators = [Property({ type: 'integer', nullable: true })];
            _contact_decorators = [Property({ type: 'string', nullable: true })];
            _notes_decorators = [Property({ type: 'text', nullable: true })];
            _created_decorators = [Property({ type: 'datetime', onCreate: () => new Date() })];
            _updated_decorators = [Property({ type: 'datetime', onCreate: () => new Date(), onUpdate: () => new Date() })];
            __esDecorate(null, null, _id_decorators, { kind: "field", name: "id", static: false, private: false, access: { has: obj => "id" in obj, get: obj => obj.id, set: (obj, value) => { obj.id = value; } }, metadata: _metadata }, _id_initializers, _id_extraInitializers);
            __esDecorate(null, null, _isbn_decorators, { kind: "field", name: "isbn", static: false, private: false, access: { has: obj => "isbn" in obj, get: obj => obj.isbn, set: (obj, value) => { obj.isbn = value; } }, metadata: _metadata }, _isbn_initializers, _isbn_extraInitializers);
            __esDecorate(null, null, _title_decorators, { kind: "field", name: "title", static: false, private: false, access: { has: obj => "title" in obj, get: obj => obj.title, set: (obj, value) => { obj.title = value; } }, metadata: _metadata }, _title_initializers, _title_extraInitializers);
            __esDecorate(null, null, _author_decorators, { kind: "field", name: "author", static: false, private: false, access: { has: obj => "author" in obj, get: obj => obj.author, set: (obj, value) => { obj.author = value; } }, metadata: _metadata }, _author_initializers, _author_extraInitializers);
            __esDecorate(null, null, _pages_decorators, { kind: "field", name: "pages", static: false, private: false, access: { has: obj => "pages" in obj, get: obj => obj.pages, set: (obj, value) => { obj.pages = value; } }, metadata: _metadata }, _pages_initializers, _pages_extraInitializers);
            __esDecorate(null, null, _price_decorators, { kind: "field", name: "price", static: false, private: false, access: { has: obj => "price" in obj, get: obj => obj.price, set: (obj, value) => { obj.price = value; } }, metadata: _metadata }, _price_initializers, _price_extraInitializers);
            __esDecorate(null, null, _inPrint_decorators, { kind: "field", name: "inPrint", static: false, private: false, access: { has: obj => "inPrint" in obj, get: obj => obj.inPrint, set: (obj, value) => { obj.inPrint = value; } }, metadata: _metadata }, _inPrint_initializers, _inPrint_extraInitializers);
            __esDecorate(null, null, _publishedOn_decorators, { kind: "field", name: "publishedOn", static: false, private: false, access: { has: obj => "publishedOn" in obj, get: obj => obj.publishedOn, set: (obj, value) => { obj.publishedOn = value; } }, metadata: _metadata }, _publishedOn_initializers, _publishedOn_extraInitializers);
            __esDecorate(null, null, _launchAt_decorators, { kind: "field", name: "launchAt", static: false, private: false, access: { has: obj => "launchAt" in obj, get: obj => obj.launchAt, set: (obj, value) => { obj.launchAt = value; } }, metadata: _metadata }, _launchAt_initializers, _launchAt_extraInitializers);
            __esDecorate(null, null, _remindAt_decorators, { kind: "field", name: "remindAt", static: false, private: false, access: { has: obj => "remindAt" in obj, get: obj => obj.remindAt, set: (obj, value) => { obj.remindAt = value; } }, metadata: _metadata }, _remindAt_initializers, _remindAt_extraInitializers);
            __esDecorate(null, null, _contact_decorators, { kind: "field", name: "contact", static: false, private: false, access: { has: obj => "contact" in obj, get: obj => obj.contact, set: (obj, value) => { obj.contact = value; } }, metadata: _metadata }, _contact_initializers, _contact_extraInitializers);
            __esDecorate(null, null, _notes_decorators, { kind: "field", name: "notes", static: false, private: false, access: { has: obj => "notes" in obj, get: obj => obj.notes, set: (obj, value) => { obj.notes = value; } }, metadata: _metadata }, _notes_initializers, _notes_extraInitializers);
            __esDecorate(null, null, _created_decorators, { kind: "field", name: "created", static: false, private: false, access: { has: obj => "created" in obj, get: obj => obj.created, set: (obj, value) => { obj.created = value; } }, metadata: _metadata }, _created_initializers, _created_extraInitializers);
            __esDecorate(null, null, _updated_decorators, { kind: "field", name: "updated", static: false, private: false, access: { has: obj => "updated" in obj, get: obj => obj.updated, set: (obj, value) => { obj.updated = value; } }, metadata: _metadata }, _updated_initializers, _updated_extraInitializers);
            __esDecorate(null, _classDescriptor = { value: _classThis }, _classDecorators, { kind: "class", name: _classThis.name, metadata: _metadata }, null, _classExtraInitializers);
            Book = _classThis = _classDescriptor.value;
            if (_metadata) Object.defineProperty(_classThis, Symbol.metadata, { enumerable: true, configurable: true, writable: true, value: _metadata });
            __runInitializers(_classThis, _classExtraInitializers);
        }
        id = __runInitializers(this, _id_initializers, void 0);
        isbn = (__runInitializers(this, _id_extraInitializers), __runInitializers(this, _isbn_initializers, void 0));
        title = (__runInitializers(this, _isbn_extraInitializers), __runInitializers(this, _title_initializers, void 0));
        author = (__runInitializers(this, _title_extraInitializers), __runInitializers(this, _author_initializers, void 0));
        pages = (__runInitializers(this, _author_extraInitializers), __runInitializers(this, _pages_initializers, void 0));
        price = (__runInitializers(this, _pages_extraInitializers), __runInitializers(this, _price_initializers, void 0));
        inPrint = (__runInitializers(this, _price_extraInitializers), __runInitializers(this, _inPrint_initializers, void 0));
        publishedOn = (__runInitializers(this, _inPrint_extraInitializers), __runInitializers(this, _publishedOn_initializers, void 0));
        launchAt = (__runInitializers(this, _publishedOn_extraInitializers), __runInitializers(this, _launchAt_initializers, void 0));
        remindAt = (__runInitializers(this, _launchAt_extraInitializers), __runInitializers(this, _remindAt_initializers, void 0));
        contact = (__runInitializers(this, _remindAt_extraInitializers), __runInitializers(this, _contact_initializers, void 0));
        notes = (__runInitializers(this, _contact_extraInitializers), __runInitializers(this, _notes_initializers, void 0));
        created = (__runInitializers(this, _notes_extraInitializers), __runInitializers(this, _created_initializers, void 0));
        updated = (__runInitializers(this, _created_extraInitializers), __runInitializers(this, _updated_initializers, void 0));
        constructor() {
            __runInitializers(this, _updated_extraInitializers);
        }
    };
    return Book = _classThis;
})();
export { Book };
defineColumns(Book, { contact: { type: new EmailColumn() }, remindAt: { type: new TimestampColumn() } });
