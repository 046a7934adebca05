// ../../tmp/prof/tr.ts
import { readFileSync } from "node:fs";

// plugin/1-parse/parse.ts
import { parseSync } from "oxc-parser/src-js/index.js";
var languages = {
  js: "js",
  mjs: "js",
  cjs: "js",
  jsx: "jsx",
  ts: "ts",
  mts: "ts",
  cts: "ts",
  tsx: "tsx"
};
function parse(source, file, language) {
  const extension = /\.([a-z]+)$/.exec(file)?.[1] ?? "";
  const lang = language ?? languages[extension];
  if (!lang) return void 0;
  const kinds2 = /^c[jt]s$/.test(extension) ? ["commonjs"] : ["module", "commonjs"];
  const showSemanticErrors = lang.startsWith("js");
  for (const sourceType of kinds2) {
    const { program, comments, errors: errors2 } = parseSync(file, source, { lang, sourceType, preserveParens: true, showSemanticErrors });
    if (errors2.length === 0) return { program, comments };
  }
  return void 0;
}

// plugin/platform-names.ts
var platformNames = Object.getOwnPropertyNames(globalThis).filter((name) => !name.startsWith("__"));

// plugin/1-parse/node.ts
import { visitorKeys } from "oxc-parser/src-js/index.js";
var typeKeys = /* @__PURE__ */ new Set([
  "typeAnnotation",
  "returnType",
  "typeParameters",
  "typeArguments",
  "superTypeArguments",
  "implements",
  "decorators"
]);
var runtimeNodes = /* @__PURE__ */ new Set([
  "TSAsExpression",
  "TSSatisfiesExpression",
  "TSNonNullExpression",
  "TSTypeAssertion",
  "TSInstantiationExpression",
  "TSExportAssignment",
  "TSParameterProperty",
  "TSModuleDeclaration",
  "TSModuleBlock"
]);
var walks = new Map(
  Object.entries(visitorKeys).map(([type, keys]) => [type, type.startsWith("TS") && !runtimeNodes.has(type) ? () => {
  } : walkThrough(keys.filter((key) => !typeKeys.has(key)))])
);
function walkThrough(keys) {
  return new Function("node", "visit", keys.map((key) => `{
    const child = node.${key}
    if (Array.isArray(child)) { for (const item of child) if (item) visit(item) } else if (child) visit(child)
  }`).join(""));
}
function forEachChild(node, visit) {
  walks.get(node.type)?.(node, visit);
}
function someChild(node, test) {
  let isFound = false;
  forEachChild(node, (child) => isFound ||= test(child));
  return isFound;
}
var transparent = /* @__PURE__ */ new Set(["ParenthesizedExpression", "TSNonNullExpression", "TSAsExpression", "TSSatisfiesExpression", "TSTypeAssertion"]);
var isTransparent = ({ type }) => transparent.has(type);
function unwrap(node) {
  let inner = node;
  while (isTransparent(inner)) inner = inner.expression;
  return inner;
}
var isFunction = (node) => node.type === "FunctionDeclaration" || node.type === "FunctionExpression" || node.type === "ArrowFunctionExpression";
function isAnonymousDefinition(node) {
  let inner = node;
  while (inner.type === "ParenthesizedExpression") inner = inner.expression;
  return inner.type === "ArrowFunctionExpression" || (inner.type === "FunctionExpression" || inner.type === "ClassExpression") && !inner.id;
}

// plugin/2-analyse/assigned.ts
function assignedNames(program) {
  const names2 = /* @__PURE__ */ new Set();
  const add = (target2) => {
    if (!target2) return;
    const found = unwrap(target2);
    if (found.type === "MemberExpression") {
      const name = nameOf(found);
      if (name !== void 0) names2.add(name);
    } else if (found.type.endsWith("Pattern") || found.type === "Property" || found.type === "RestElement") forEachChild(found, add);
  };
  let isInConstructor = false;
  const visitAs = (node, isConstructor) => {
    const before = isInConstructor;
    isInConstructor = isConstructor;
    forEachChild(node, visit);
    isInConstructor = before;
  };
  const visit = (node) => {
    switch (node.type) {
      case "AssignmentExpression":
        if (!(isInConstructor && node.operator === "=" && isOfThis(unwrap(node.left)))) add(node.left);
        break;
      case "UpdateExpression":
        add(node.argument);
        break;
      case "UnaryExpression":
        if (node.operator === "delete") add(node.argument);
        break;
      case "ForInStatement":
      case "ForOfStatement":
        add(node.left);
        break;
      case "MethodDefinition":
        if (node.kind !== "constructor") break;
        for (const parameter of node.value.params) visitAs(parameter, false);
        return node.value.body && visitAs(node.value.body, true);
      case "FunctionDeclaration":
      case "FunctionExpression":
      case "ArrowFunctionExpression":
        return visitAs(node, false);
      default:
    }
    forEachChild(node, visit);
  };
  visit(program);
  return [...names2];
}
var isOfThis = (target2) => target2.type === "MemberExpression" && target2.object.type === "ThisExpression";
function nameOf({ property, computed }) {
  if (property.type === "PrivateIdentifier") return `#${property.name}`;
  if (!computed) return property.name;
  return property.type === "Literal" && typeof property.value === "string" ? property.value : void 0;
}

// plugin/3-rewrite/directives.ts
function afterDirectives(list, start, r) {
  let end = start;
  for (const statement of list) {
    if (typeof statement.directive !== "string") break;
    end = statement.end;
  }
  if (end !== start && r && r.source[end - 1] !== ";") r.insert(end, ";");
  return end;
}

// plugin/2-analyse/binding.ts
function bindingOf(variable, { captured, reassigned, primitive, isUsedByParameters }) {
  const { name, scope, definitions } = variable;
  const definition = definitions[0];
  return { name, scope, reassigned, primitive, isUsedByParameters, recorded: captured && reassigned && canChange(definition, scope), isOwnFunction: !reassigned && definitions.length === 1 && isFunctionOf(definition), ...valueOf(definition), ...originOf(definition) };
}
function globalBinding(name, scope) {
  return { name, scope, reassigned: true, recorded: true, isUsedByParameters: false, isOwnFunction: false, primitive: false };
}
function isFunctionOf({ type, node, parent }) {
  switch (type) {
    case "FunctionName":
      return !node.generator && !!node.body;
    case "Variable":
      return parent.kind === "const" && node.id.type === "Identifier" && !!node.init && isFunction(node.init) && !node.init.generator;
    default:
      return false;
  }
}
function valueOf({ type, node, parent }) {
  if (type !== "Variable" || parent.kind !== "const") return void 0;
  if (node.id.type === "ArrayPattern") return { declarator: node };
  return node.id.type === "Identifier" && node.init ? { value: node.init } : void 0;
}
function canChange({ type, parent }, scope) {
  switch (type) {
    case "Variable":
      return parent.kind === "var" || parent.kind === "let";
    case "Parameter":
    case "CatchClause":
      return true;
    // Inside a named function expression or class its name is a constant.
    case "FunctionName":
    case "ClassName":
      return scope.type !== "function-expression-name" && scope.type !== "class";
    case "ImportBinding":
      return false;
    default:
      return type;
  }
}
function originOf({ type, node, parent }) {
  return type === "ImportBinding" ? { source: parent.source.value, imported: importedName(node) } : void 0;
}
function importedName({ type, imported: imported2 }) {
  switch (type) {
    case "ImportNamespaceSpecifier":
      return "*";
    case "ImportDefaultSpecifier":
      return "default";
    default:
      return imported2.type === "Identifier" ? imported2.name : String(imported2.value);
  }
}

// plugin/2-analyse/exports.ts
function exportsOf(program) {
  return program.body.flatMap((statement) => {
    if (statement.exportKind === "type") return [];
    if (statement.type === "ExportDefaultDeclaration") return statement.declaration.id ? [{ name: "default", local: statement.declaration.id.name }] : [];
    if (statement.type !== "ExportNamedDeclaration") return [];
    if (statement.declaration) return declaredNames(statement.declaration).map((name) => ({ name, local: name }));
    return statement.specifiers.map((specifier) => {
      const [name, local] = [nameOf2(specifier.exported), nameOf2(specifier.local)];
      return statement.source ? { name, imported: local } : { name, local };
    });
  });
}
function declaredNames(declaration) {
  if (declaration.type !== "VariableDeclaration") return declaration.id?.type === "Identifier" ? [declaration.id.name] : [];
  return declaration.declarations.flatMap(({ id }) => namesIn(id));
}
function namesIn(pattern) {
  switch (pattern?.type) {
    case "Identifier":
      return [pattern.name];
    case "ObjectPattern":
      return pattern.properties.flatMap((property) => namesIn(property.type === "Property" ? property.value : property));
    case "ArrayPattern":
      return pattern.elements.flatMap(namesIn);
    case "AssignmentPattern":
      return namesIn(pattern.left);
    case "RestElement":
      return namesIn(pattern.argument);
    default:
      return [];
  }
}
var nameOf2 = (node) => node.type === "Literal" ? String(node.value) : node.name;

// plugin/1-parse/ranges.ts
function firstFrom(list, position, positionOf2) {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = low + high >> 1;
    if (positionOf2(list[middle]) < position) low = middle + 1;
    else high = middle;
  }
  return low;
}
var startOf = ({ start }) => start;

// plugin/2-analyse/flow.ts
var positionOf = ({ position }) => position;
var Flow = class {
  #suspensions = [];
  #repeated = /* @__PURE__ */ new Set();
  #functionStart = -1;
  #loops = 0;
  constructor(program) {
    this.#visit(program);
    this.#suspensions.sort((a, b) => a.position - b.position);
  }
  /** Whether the function that contains `node` can suspend while it evaluates it. */
  suspends(node) {
    for (let i = firstFrom(this.#suspensions, node.start, positionOf); i < this.#suspensions.length; i++) {
      const { position, functionStart } = this.#suspensions[i];
      if (position >= node.end) return false;
      if (functionStart < node.start) return true;
    }
    return false;
  }
  /** Whether any function of the file suspends before a position. */
  suspendsBefore(position) {
    return firstFrom(this.#suspensions, position, positionOf) > 0;
  }
  /** Whether a `var` declaration stands in a loop. */
  repeats(declaration) {
    return this.#repeated.has(declaration);
  }
  #visitor = (node) => this.#visit(node);
  #visit(node) {
    if (!node || node.declare === true) return;
    if (isFunction(node) || node.type === "StaticBlock" || node.type === "TSModuleBlock") return this.#apart(node, node);
    switch (node.type) {
      case "Identifier":
        return;
      case "PropertyDefinition":
      case "AccessorProperty":
        if (node.computed) this.#visit(node.key);
        return node.value ? this.#apart(node, node.value) : void 0;
      case "AwaitExpression":
      case "YieldExpression":
        this.#suspend(node);
        break;
      case "VariableDeclaration":
        if (node.kind === "await using") this.#suspend(node);
        if (node.kind === "var" && this.#loops > 0) this.#repeated.add(node);
        break;
      case "WhileStatement":
      case "DoWhileStatement":
        return this.#loop(node.test, node.body);
      case "ForStatement":
        this.#visit(node.init);
        return this.#loop(node.test, node.update, node.body);
      case "ForInStatement":
      case "ForOfStatement":
        if (node.await) this.#suspend(node);
        this.#visit(node.right);
        return this.#loop(node.left, node.body);
      default:
    }
    forEachChild(node, this.#visitor);
  }
  #suspend(node) {
    this.#suspensions.push({ position: node.start, functionStart: this.#functionStart });
  }
  #loop(...repeated) {
    this.#loops++;
    for (const node of repeated) this.#visit(node);
    this.#loops--;
  }
  /** Code that runs on its own: not part of the enclosing function, nor of its loops. */
  #apart(owner, code) {
    const [start, loops] = [this.#functionStart, this.#loops];
    this.#functionStart = owner.start;
    this.#loops = 0;
    if (code === owner) forEachChild(code, this.#visitor);
    else this.#visit(code);
    this.#functionStart = start;
    this.#loops = loops;
  }
};

// plugin/2-analyse/primitives.ts
function mergedNames(program) {
  const names2 = /* @__PURE__ */ new Set();
  const visit = (node) => {
    if (node.type === "AssignmentExpression" && /^(?:\?\?|\|\||&&)=$/.test(node.operator)) names2.add(unwrap(node.left));
    forEachChild(node, visit);
  };
  visit(program);
  return names2;
}
function isPrimitive({ definitions, references }, merged) {
  const [definition] = definitions;
  if (!definition || definitions.length > 1 || !isDeclaredPlainly(definition)) return false;
  return references.every((reference) => !reference.writes || givesPrimitive(reference, merged));
}
function isDeclaredPlainly({ type, node, parent }) {
  return type === "Variable" && node.id.type === "Identifier" && (node.init !== null || parent.kind !== "const" && parent.declarations.length > 0) && !parent.declare;
}
function givesPrimitive({ reads, identifier, written, isPart }, merged) {
  return reads ? !merged.has(identifier) : written !== null && !isPart && isPrimitiveExpression(written);
}
function isPrimitiveExpression(node) {
  const inner = unwrap(node);
  switch (inner.type) {
    case "Literal":
      return !inner.regex;
    case "TemplateLiteral":
    case "UnaryExpression":
    case "UpdateExpression":
    case "BinaryExpression":
      return true;
    case "ConditionalExpression":
      return isPrimitiveExpression(inner.consequent) && isPrimitiveExpression(inner.alternate);
    case "MemberExpression":
      return !inner.computed && inner.property.name === "length";
    default:
      return false;
  }
}

// plugin/2-analyse/scopes.ts
var ofVariables = /* @__PURE__ */ new Set(["global", "module", "function", "class-field-initializer", "class-static-block"]);
var Variable = class {
  name;
  scope;
  definitions = [];
  references = [];
  constructor(name, scope) {
    this.name = name;
    this.scope = scope;
  }
};
var Scope = class {
  type;
  block;
  upper;
  /** To which a `var` belongs that stands here. */
  variableScope;
  variables = /* @__PURE__ */ new Map();
  /** By name: uses that nothing declares which has been seen so far. */
  #open = /* @__PURE__ */ new Map();
  constructor(type, block, upper) {
    this.type = type;
    this.block = block;
    this.upper = upper;
    this.variableScope = ofVariables.has(type) || !upper ? this : upper.variableScope;
  }
  define(definition) {
    this.variable(definition.name.name).definitions.push(definition);
  }
  /** The variable of a name that is declared here. */
  variable(name) {
    let variable = this.variables.get(name);
    if (!variable) this.variables.set(name, variable = new Variable(name, this));
    return variable;
  }
  refer(reference) {
    const name = reference.identifier.name;
    const open = this.#open.get(name);
    if (open) open.push(reference);
    else this.#open.set(name, [reference]);
  }
  /** Gives each use of a name to what declares it, here or further out. */
  close() {
    for (const [name, references] of this.#open) {
      const variable = this.variables.get(name);
      if (!variable) this.upper.#leave(name, references);
      else if (!this.#isOfBody(variable)) append(variable.references, references);
      else {
        const start = this.block.body.start;
        const outside2 = references.filter(({ identifier }) => identifier.start < start);
        if (outside2.length > 0) this.upper.#leave(name, outside2);
        append(variable.references, references.filter(({ identifier }) => identifier.start >= start));
      }
    }
    this.#open.clear();
  }
  /** What is declared nowhere. */
  get unresolved() {
    return [...this.#open.values()].flat();
  }
  #leave(name, references) {
    const open = this.#open.get(name);
    if (open) append(open, references);
    else this.#open.set(name, references);
  }
  /** What the parameters of a function cannot mean: the body declares it. */
  #isOfBody({ definitions }) {
    if (this.type !== "function" || definitions.length === 0) return false;
    const body = this.block.body;
    return body !== null && definitions.every(({ name }) => name.start >= body.start);
  }
};
function append(list, more) {
  for (const item of more) list.push(item);
}

// plugin/2-analyse/resolve.ts
function resolve(program) {
  return new Resolver(program);
}
var Resolver = class {
  all = [];
  of = /* @__PURE__ */ new Map();
  unresolved;
  #scope;
  constructor(program) {
    const outermost = this.#scope = this.#open("global", program);
    this.#within("module", program, () => forEachChild(program, this.#visit));
    this.unresolved = outermost.unresolved;
  }
  #open(type, block, upper) {
    const scope = new Scope(type, block, upper);
    this.all.push(scope);
    this.of.set(block, scope);
    return scope;
  }
  #within(type, block, visit) {
    const upper = this.#scope;
    const scope = this.#scope = this.#open(type, block, upper);
    visit();
    scope.close();
    this.#scope = upper;
  }
  #visit = (node) => {
    if (!node || node.declare === true) return;
    switch (node.type) {
      case "Identifier":
        return this.#refer(node, { reads: true });
      case "MemberExpression":
        this.#visit(node.object);
        return node.computed ? this.#visit(node.property) : void 0;
      case "AssignmentExpression":
        return this.#assignment(node);
      case "UpdateExpression":
        return this.#update(node);
      case "VariableDeclaration":
        return this.#declarations(node);
      case "FunctionDeclaration":
        this.#name(node, "FunctionName");
        return this.#function(node);
      case "FunctionExpression":
        if (!node.id) return this.#function(node);
        return this.#within("function-expression-name", node, () => {
          this.#name(node, "FunctionName");
          this.#function(node);
        });
      case "ArrowFunctionExpression":
        return this.#function(node);
      case "ClassDeclaration":
      case "ClassExpression":
        return this.#class(node);
      case "Property":
      case "MethodDefinition":
        if (node.computed) this.#visit(node.key);
        return this.#visit(node.value);
      case "PropertyDefinition":
      case "AccessorProperty":
        if (node.computed) this.#visit(node.key);
        return node.value ? this.#within("class-field-initializer", node.value, () => this.#visit(node.value)) : void 0;
      case "BlockStatement":
        return this.#within("block", node, () => forEachChild(node, this.#visit));
      // The variables of a namespace are those of a block that runs once.
      case "StaticBlock":
      case "TSModuleBlock":
        return this.#within("class-static-block", node, () => forEachChild(node, this.#visit));
      case "ForStatement":
        return this.#for(node, node.init);
      case "ForInStatement":
      case "ForOfStatement":
        return this.#forEach(node);
      case "SwitchStatement":
        this.#visit(node.discriminant);
        return this.#within("switch", node, () => node.cases.forEach(this.#visit));
      case "CatchClause":
        return this.#catch(node);
      case "LabeledStatement":
        return this.#visit(node.body);
      case "BreakStatement":
      case "ContinueStatement":
      case "MetaProperty":
      case "ExportAllDeclaration":
        return;
      case "ImportDeclaration":
        for (const specifier of node.specifiers ?? []) this.#scope.define({ type: "ImportBinding", name: specifier.local, node: specifier, parent: node });
        return;
      case "ExportNamedDeclaration":
        if (node.source) return;
        break;
      case "ExportSpecifier":
        return this.#visit(node.local);
      case "TSModuleDeclaration":
        this.#named(node);
        return node.body?.type === "TSModuleBlock" ? this.#visit(node.body) : void 0;
      case "TSEnumDeclaration":
      case "TSImportEqualsDeclaration":
        return this.#named(node);
      default:
    }
    forEachChild(node, this.#visit);
  };
  #refer(identifier, { reads = false, writes = false, written = null, isPart = false, isInit = false }) {
    this.#scope.refer({ identifier, from: this.#scope, reads, writes, written, isPart, isInit });
  }
  /** Visits a pattern, or another target of an assignment. */
  #pattern(pattern, target2) {
    namesIn2(pattern, target2).forEach(this.#visit);
  }
  /** The values that defaults give a name. */
  #defaults(identifier, defaults, isInit) {
    for (const { left, right } of defaults) this.#refer(identifier, { writes: true, written: right, isPart: identifier !== left, isInit });
  }
  #assignment(node) {
    const target2 = unwrap(node.left);
    if (target2.type === "MemberExpression") this.#visit(target2);
    else if (node.operator !== "=") this.#refer(target2, { reads: true, writes: true, written: node.right });
    else {
      this.#pattern(target2, (identifier, defaults) => {
        this.#defaults(identifier, defaults, false);
        this.#refer(identifier, { writes: true, written: node.right, isPart: identifier !== target2 });
      });
    }
    this.#visit(node.right);
  }
  #update(node) {
    const target2 = unwrap(node.argument);
    if (target2.type === "Identifier") this.#refer(target2, { reads: true, writes: true });
    else this.#visit(target2);
  }
  #declarations(declaration) {
    const scope = declaration.kind === "var" ? this.#scope.variableScope : this.#scope;
    for (const declarator of declaration.declarations) {
      const { id, init } = declarator;
      this.#pattern(id, (identifier, defaults) => {
        scope.define({ type: "Variable", name: identifier, node: declarator, parent: declaration });
        this.#defaults(identifier, defaults, true);
        if (init) this.#refer(identifier, { writes: true, written: init, isPart: identifier !== id, isInit: true });
      });
      this.#visit(init);
    }
  }
  /** The name of a function or class, where it has one. */
  #name(node, type) {
    if (node.id) this.#scope.define({ type, name: node.id, node, parent: node });
  }
  #function(node) {
    this.#within("function", node, () => {
      if (node.type !== "ArrowFunctionExpression") this.#scope.variable("arguments");
      for (const parameter of node.params) this.#parameter(parameter, node, "Parameter");
      if (node.body?.type === "BlockStatement") forEachChild(node.body, this.#visit);
      else this.#visit(node.body);
    });
  }
  #parameter(parameter, node, type) {
    this.#pattern(parameter, (identifier, defaults) => {
      this.#scope.define({ type, name: identifier, node, parent: node });
      this.#defaults(identifier, defaults, true);
    });
  }
  #class(node) {
    if (node.type === "ClassDeclaration") this.#name(node, "ClassName");
    this.#within("class", node, () => {
      this.#name(node, "ClassName");
      this.#visit(node.superClass);
      this.#visit(node.body);
    });
  }
  #catch(node) {
    this.#within("catch", node, () => {
      if (node.param) this.#parameter(node.param, node, "CatchClause");
      this.#visit(node.body);
    });
  }
  /** A loop that declares variables has a scope for them. */
  #for(loop, head) {
    const visit = () => forEachChild(loop, this.#visit);
    if (head?.type === "VariableDeclaration" && head.kind !== "var") this.#within("for", loop, visit);
    else visit();
  }
  #forEach(loop) {
    const { left, right, body } = loop;
    const isDeclaration = left.type === "VariableDeclaration";
    const visit = () => {
      if (isDeclaration) this.#visit(left);
      const others = namesIn2(isDeclaration ? left.declarations[0].id : left, (identifier, defaults) => {
        if (!isDeclaration) this.#defaults(identifier, defaults, false);
        this.#refer(identifier, { writes: true, written: right, isPart: true, isInit: isDeclaration });
      });
      if (!isDeclaration) others.forEach(this.#visit);
      this.#visit(right);
      this.#visit(body);
    };
    if (isDeclaration && left.kind !== "var") this.#within("for", loop, visit);
    else visit();
  }
  /** Of a namespace, an enumeration or an import by TypeScript's own keywords: a constant. */
  #named({ id }) {
    if (id.type !== "Identifier") return;
    const node = { type: "VariableDeclarator", id, init: null, start: id.start, end: id.end };
    this.#scope.define({ type: "Variable", name: id, node, parent: { type: "VariableDeclaration", kind: "const", declarations: [node], start: id.start, end: id.end } });
  }
};
function namesIn2(pattern, target2) {
  const others = [];
  const visit = (node, defaults) => {
    if (!node) return;
    switch (node.type) {
      case "Identifier":
        return target2(node, defaults);
      case "Property":
        if (node.computed) others.push(node.key);
        return visit(node.value, defaults);
      case "AssignmentPattern":
        visit(node.left, [...defaults, node]);
        others.push(node.right);
        return;
      case "MemberExpression":
        if (node.computed) others.push(node.property);
        others.push(node.object);
        return;
      default:
        return forEachChild(node, (child) => visit(child, defaults));
    }
  };
  visit(pattern, []);
  return others;
}

// plugin/2-analyse/analyse.ts
var Analysis = class {
  /** By the position of an identifier: the number of its binding, or `ofGlobal`. */
  #meanings;
  #bindings = [void 0];
  #recorded = /* @__PURE__ */ new Set();
  #moduleVariables = /* @__PURE__ */ new Map();
  #declared = /* @__PURE__ */ new Map();
  #written = [];
  #scopes;
  #flow;
  #merged;
  exports;
  constructor(program) {
    this.exports = exportsOf(program);
    this.#meanings = new Int32Array(program.end);
    this.#flow = new Flow(program);
    this.#scopes = resolve(program);
    this.#merged = mergedNames(program);
    for (const scope of this.#scopes.all) for (const variable of scope.variables.values()) this.#add(variable);
    const [outermost] = this.#scopes.all;
    for (const { identifier, writes } of this.#scopes.unresolved) {
      const name = identifier.name;
      if (!writes) this.#meanings[identifier.start] = ofGlobal;
      else if (!ofModules.has(name) && !name.startsWith("__")) this.#meanings[identifier.start] = this.#bindings.push(globalBinding(name, outermost)) - 1;
    }
  }
  /** What an identifier that is used refers to; undefined for globals. */
  binding(identifier) {
    return identifier.type === "Identifier" ? this.#bindings[this.#meanings[identifier.start]] : void 0;
  }
  /** What a name means at the top of the file. */
  moduleVariable(name) {
    return this.#moduleVariables.get(name);
  }
  /** Whether an identifier reads what the file declares nowhere. */
  readsGlobal(identifier) {
    return identifier.type === "Identifier" && this.#meanings[identifier.start] === ofGlobal;
  }
  /** The identifiers that refer to what this one declares. */
  uses(declared) {
    const variable = this.#declared.get(declared);
    return variable ? this.#usesOf(variable).map(({ identifier }) => identifier) : [];
  }
  /** The same where only the function uses the name that declares it; undefined if others do as well. */
  usesWithin(declared) {
    const variable = this.#declared.get(declared);
    if (variable?.scope.variableScope.type !== "function") return void 0;
    const uses = variable.references.filter(({ isInit }) => !isInit);
    return uses.every(({ from }) => from.variableScope === variable.scope.variableScope) ? uses.map(({ identifier }) => identifier) : void 0;
  }
  scope(node) {
    return this.#scopes.of.get(node);
  }
  hasRecorded(scope) {
    return this.#recorded.has(scope);
  }
  /** Whether the function that contains `node` can suspend while it evaluates it. */
  suspends(node) {
    return this.#flow.suspends(node);
  }
  /**
   * The variables that one iteration of a loop leaves to the next, without those that are recorded; undefined where their values cannot be
   * told where the loop is tested.
   */
  carried(loop) {
    const names2 = [];
    for (const { name, scope, definitions, references } of this.#written) {
      const writes = references.filter((reference) => reference.writes && isInside(reference.identifier, loop));
      const { block } = scope;
      if (writes.length === 0 || block !== loop && isInside(block, loop)) continue;
      if (block !== loop && writes.every(({ identifier }) => this.binding(identifier)?.recorded)) continue;
      if (writes.some(({ from }) => from.variableScope !== scope.variableScope) || definitions.some((definition) => block !== loop && isLater(definition, loop))) return void 0;
      names2.push(name);
    }
    return names2;
  }
  /** Whether the loop is `for (let i = 0; ...; i++)`, and nothing else changes `i`: no iteration leaves it as it was. */
  isCounted({ type, init, update }) {
    if (type !== "ForStatement" || init?.type !== "VariableDeclaration" || update?.type !== "UpdateExpression") return false;
    const counter = init.declarations.find(({ id }) => id.name === update.argument.name);
    if (typeof counter?.init?.value !== "number") return false;
    const variable = this.#written.find(({ definitions }) => definitions[0]?.name === counter.id);
    return variable === void 0 || variable.references.every(({ writes, identifier }) => !writes || isInside(identifier, init) || isInside(identifier, update));
  }
  /** Whether a name stands for what is declared by that identifier, and for nothing else at any time. */
  isOnly(declared, name) {
    const references = this.#declared.get(declared)?.references ?? [];
    return references.some(({ identifier }) => identifier === name) && references.every(({ writes, isInit }) => !writes || isInit);
  }
  #add(variable) {
    const { scope, name, definitions, references } = variable;
    if (definitions.length === 0) return;
    if (references.some(({ writes }) => writes)) this.#written.push(variable);
    const uses = this.#usesOf(variable);
    const capturing = uses.filter(({ from }) => from.variableScope !== scope.variableScope);
    const binding = bindingOf(variable, {
      captured: capturing.length > 0,
      isUsedByParameters: capturing.some(({ identifier }) => isInParameters(identifier, scope)),
      reassigned: uses.some((reference) => reference.writes && !isLoopUpdate(reference, scope)),
      primitive: isPrimitive(variable, this.#merged)
    });
    if (binding.recorded) this.#recorded.add(scope);
    if (scope.type === "module") this.#moduleVariables.set(name, binding);
    const number = this.#bindings.push(binding) - 1;
    for (const { identifier } of uses) this.#meanings[identifier.start] = number;
    for (const definition of definitions) this.#declared.set(definition.name, variable);
  }
  /** All references but for the value that a declaration gives. */
  #usesOf(variable) {
    return variable.references.some(({ isInit }) => isInit) ? variable.references.filter((reference) => !this.#isFirstValue(reference, variable)) : variable.references;
  }
  /** The value that a declaration gives. A `var` has one instance for the whole function: initialising it again changes it. */
  #isFirstValue({ isInit, identifier }, { definitions }) {
    if (!isInit) return false;
    const index = definitions.findIndex(({ name }) => name === identifier);
    const definition = definitions[index];
    if (!definition) return false;
    if (definition.type !== "Variable" || definition.parent.kind !== "var") return true;
    return index === 0 && !this.#flow.repeats(definition.parent) && !this.#flow.suspendsBefore(definition.node.end);
  }
};
var ofGlobal = -1;
var ofModules = /* @__PURE__ */ new Set(["require", "module", "exports", "arguments", "undefined", "eval"]);
var isInside = (inner, outer) => inner.start >= outer.start && inner.end <= outer.end;
function isLater({ type, parent, name }, loop) {
  return (type === "ClassName" || type === "Variable" && parent.kind !== "var") && name.start > loop.start;
}
function isInParameters(identifier, { block }) {
  const parameters = block.params;
  return !!parameters?.length && identifier.start < parameters.at(-1).end;
}
function isLoopUpdate({ from, identifier }, scope) {
  const update = scope.block.update;
  return scope.type === "for" && !!update && from.variableScope === scope.variableScope && isInside(identifier, update);
}

// plugin/3-rewrite/names.ts
var Names = class {
  table;
  #prefix;
  #count = 0;
  constructor(source) {
    let prefix = "$";
    while (new RegExp(`${prefix.replaceAll("$", "\\$")}(?:\\d|s\\d|dpor)`).test(source)) prefix += "$";
    this.#prefix = prefix;
    this.table = `${prefix}dpor`;
  }
  fresh() {
    return `${this.#prefix}${++this.#count}`;
  }
  freshScope() {
    return `${this.#prefix}s${++this.#count}`;
  }
};
var quote = (text) => /^[^'\\\n\r\u2028\u2029]*$/.test(text) ? `'${text}'` : JSON.stringify(text).replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029");
var naming = (name) => [`{ ${name === "__proto__" ? "['__proto__']" : quote(name)}: `, ` }[${quote(name)}]`];

// plugin/3-rewrite/repeatable.ts
function isRepeatable(object, r) {
  if (object.type === "ThisExpression") return true;
  if (object.type !== "Identifier") return false;
  const binding = r.analysis.binding(object);
  return !!binding && !binding.reassigned;
}

// plugin/3-rewrite/globals.ts
var constantGlobals = /* @__PURE__ */ new Set([
  "Array",
  "ArrayBuffer",
  "Atomics",
  "BigInt",
  "Boolean",
  "Date",
  "Function",
  "Intl",
  "JSON",
  "Map",
  "Math",
  "Number",
  "Object",
  "Promise",
  "Proxy",
  "Reflect",
  "Set",
  "String",
  "Symbol",
  "WeakMap",
  "WeakSet",
  "console",
  "arguments"
]);
var plainCallGlobals = /* @__PURE__ */ new Set(["Math", "console", "Number", "String", "Symbol", "BigInt", "Boolean"]);
var vitestGlobals = /* @__PURE__ */ new Set([
  "expect",
  "vi",
  "vitest",
  "jest",
  "it",
  "test",
  "describe",
  "suite",
  "bench",
  "assertType",
  "expectTypeOf"
]);
var ofTesting = /* @__PURE__ */ new Set(["vitest", "vitest-dpor", "@jest/globals", "vitest-dpor/jest"]);
function isSharedGlobal(identifier, r) {
  const name = identifier.name;
  if (!r.analysis.readsGlobal(identifier) || vitestGlobals.has(name) || ofModules.has(name) || name.startsWith("__")) return false;
  return name === "fetch" || !r.platform.has(name);
}
function isReplaceableGlobal(identifier, r) {
  const name = identifier.name;
  return r.analysis.readsGlobal(identifier) && r.platform.has(name) && !ofLanguage.has(name) && !ofModules.has(name) && !name.startsWith("__");
}
var looksAtReplaced = (identifier, r) => `__dpor.isReplaced && __dpor.builtIn(globalThis, ${quote(identifier.name)}, ${r.site(identifier.start, identifier.name)})`;
var ofLanguage = /* @__PURE__ */ new Set([
  "Array",
  "ArrayBuffer",
  "Atomics",
  "BigInt",
  "BigInt64Array",
  "BigUint64Array",
  "Boolean",
  "DataView",
  "Float32Array",
  "Float64Array",
  "Function",
  "Infinity",
  "Int16Array",
  "Int32Array",
  "Int8Array",
  "JSON",
  "Map",
  "Math",
  "NaN",
  "Number",
  "Object",
  "Reflect",
  "RegExp",
  "Set",
  "SharedArrayBuffer",
  "String",
  "Symbol",
  "Uint16Array",
  "Uint32Array",
  "Uint8Array",
  "Uint8ClampedArray",
  "WeakMap",
  "WeakRef",
  "WeakSet",
  "Error",
  "AggregateError",
  "EvalError",
  "RangeError",
  "ReferenceError",
  "SyntaxError",
  "TypeError",
  "URIError",
  "global",
  "globalThis",
  "process"
]);
var isGlobal = (node, names2, r) => node.type === "Identifier" && names2.has(node.name) && !r.analysis.binding(node);
var giving = /* @__PURE__ */ new Set(["mocked", "getState", "waitFor", "waitUntil", "importActual", "importMock", "io", "at"]);
function gives(call, r) {
  const callee = unwrap(call.callee);
  if (callee.type === "Identifier") return giving.has(vitestName(callee, r) ?? "");
  return callee.type === "MemberExpression" && !callee.computed && giving.has(callee.property.name);
}
function rootOf(node, r) {
  let root = unwrap(node);
  for (; ; ) {
    if (root.type === "MemberExpression") root = unwrap(root.object);
    else if (root.type === "CallExpression" && !gives(root, r)) root = unwrap(root.callee);
    else if (root.type === "ChainExpression") root = unwrap(root.expression);
    else return root;
  }
}
var isOfTesting = ({ source }) => source !== void 0 && ofTesting.has(source);
function isOfVitest(identifier, r) {
  const binding = r.analysis.binding(identifier);
  if (binding) return isOfTesting(binding) || identifier.name === "expect";
  return r.analysis.readsGlobal(identifier) && vitestGlobals.has(identifier.name);
}
function isVitest(node, r) {
  const root = rootOf(node, r);
  if (root.type !== "Identifier") return false;
  if (root.name === "expect") return true;
  const binding = r.analysis.binding(root);
  if (!binding) return vitestGlobals.has(root.name);
  return isOfTesting(binding);
}
function vitestName(node, r) {
  if (node.type !== "Identifier") return void 0;
  const binding = r.analysis.binding(node);
  if (binding && isOfTesting(binding)) return binding.imported;
  return node.name === "expect" || !binding && vitestGlobals.has(node.name) ? node.name : void 0;
}
var isImportMeta = (node, r) => rootOf(node, r).type === "MetaProperty";
var isProcessEnv = (node, r) => node.type === "MemberExpression" && !node.computed && node.property.name === "env" && isGlobal(node.object, /* @__PURE__ */ new Set(["process"]), r);
var isLiteral = (node) => node.type === "Literal" || node.type === "TemplateLiteral";
function leavesReads(member, r) {
  const object = unwrap(member.object);
  if (object.type === "Super" || isLiteral(object) || isImportMeta(object, r)) return true;
  if (isConstant(member, r) || isProcessEnv(object, r) && !member.computed || isProcessEnv(member, r)) return true;
  if (object.type === "Identifier" && !member.computed && r.analysis.binding(object)?.imported === "*") return true;
  return isVitest(object, r);
}
function isConstant(member, r) {
  const object = unwrap(member.object);
  return isGlobal(object, constantGlobals, r) && (object.name === "arguments" || keyText(member, r) !== void 0);
}
function keyText({ computed, property }, r) {
  if (!computed) return quote(property.name);
  return property.type === "Literal" || isRepeatable(property, r) ? r.text(property) : void 0;
}
function builtInLook(member, r, { isCalled: isCalled2 }) {
  const object = unwrap(member.object);
  if (r.ancestors.some(({ type }) => type === "Decorator")) return void 0;
  if (!isGlobal(object, isCalled2 ? plainCallGlobals : constantGlobals, r) || object.name === "arguments" || isFixed(object.name, member)) return void 0;
  const site2 = r.site(member.property.start, r.text(member));
  return `(__dpor.isReplaced && __dpor.builtIn(${object.name}, ${keyText(member, r)}, ${site2}${isCalled2 ? ", true" : ""}), `;
}
function isFixed(object, { computed, property }) {
  if (computed) return false;
  const own = Reflect.getOwnPropertyDescriptor(Reflect.get(globalThis, object), property.name);
  return own?.writable === false && !own.configurable;
}
function leavesCall(callee, r) {
  const object = unwrap(callee.object);
  return object.type === "Super" || isImportMeta(object, r) || isGlobal(object, plainCallGlobals, r) && callee.property.name !== "raw" && keyText(callee, r) !== void 0 || isVitest(object, r);
}
function isHoistedByJest(call, r) {
  const callee = unwrap(call.callee);
  return callee.type === "MemberExpression" && !callee.computed && callee.property.name === "mock" && vitestName(unwrap(callee.object), r) === "jest";
}
function isHoisted(node, r) {
  const call = node.type === "AwaitExpression" ? node.argument : node;
  return call.type === "CallExpression" && call.callee.type === "MemberExpression" && call.callee.property.name === "hoisted" && isVitest(call, r);
}

// plugin/3-rewrite/packages.ts
import { isBuiltin } from "node:module";
function isPackage(specifier) {
  return /^(?:@[\w.-]+\/)?[a-z\d][\w.-]*(?:\/|$)/i.test(specifier) && !isTool(specifier);
}
function isTool(specifier) {
  return isBuiltin(specifier) || /^(?:vitest|vitest-dpor|@vitest)(?:\/|$)/.test(specifier);
}

// plugin/3-rewrite/setter-pairs.ts
var setters = /^(?:set[\p{Lu}_$].*|dispatch)$/u;
var hooks = new RegExp("(?:^|\\.)use\\p{Lu}[\\p{L}\\d_$]*$", "u");
function pairOf({ id, init }, r) {
  const call = init && unwrap(init);
  if (id.type !== "ArrayPattern" || call?.type !== "CallExpression") return void 0;
  const [value, second, ...others] = id.elements;
  if (second?.type !== "Identifier" || others.length > 0) return void 0;
  if (!setters.test(second.name) && !hooks.test(r.text(call.callee))) return void 0;
  return { value: value?.type === "Identifier" ? value.name : void 0, setter: second.name };
}
function pairName(pattern, r) {
  const declarator = r.ancestors.at(-1);
  const pair = declarator?.type === "VariableDeclarator" && declarator.id === pattern ? pairOf(declarator, r) : void 0;
  return pair && `${pair.value ?? ""} ${pair.setter}`;
}
function indexedPairName({ id, init }, r) {
  const declaration = r.ancestors.at(-2);
  if (declaration?.type !== "VariableDeclaration") return void 0;
  const nameAt = (index) => declaration.declarations.find((other) => other.id.type === "Identifier" && isElement(other.init, id.name, index))?.id.name;
  const setter2 = nameAt(1);
  if (setter2 === void 0 || !(setters.test(setter2) || isOfHook(init, declaration, r))) return void 0;
  return `${nameAt(0) ?? ""} ${setter2}`;
}
var isElement = (node, list, index) => node?.type === "MemberExpression" && node.computed === true && node.object.type === "Identifier" && node.object.name === list && node.property.type === "Literal" && node.property.value === index;
function isOfHook(init, declaration, r) {
  const call = unwrap(init);
  if (call.type === "Identifier") {
    const declarator = declaration.declarations.find(({ id }) => id.type === "Identifier" && id.name === call.name);
    return declarator?.init?.type === "CallExpression" && isOfHook(declarator.init, declaration, r);
  }
  if (call.type !== "CallExpression") return false;
  const callee = unwrap(call.callee);
  const called = callee.type === "SequenceExpression" ? callee.expressions.at(-1) : callee;
  const [list, size] = call.arguments;
  return hooks.test(r.text(called)) || list !== void 0 && size?.type === "Literal" && size.value === 2 && isOfHook(list, declaration, r);
}
function pairedRead(identifier, { name, declarator, scope }, r) {
  const pair = declarator && pairOf(declarator, r);
  if (pair?.value !== name) return void 0;
  const inside = r.ancestors.slice(r.ancestors.lastIndexOf(scope.block) + 1);
  const isHidden = inside.some((node) => r.analysis.scope(node)?.variables.has(pair.setter));
  if (isHidden || !inside.some(isFunction)) return void 0;
  return { before: "__dpor.paired(", after: `, ${pair.setter}, ${r.site(identifier.start, name)})` };
}

// plugin/3-rewrite/live-bindings.ts
function liveRead(identifier, r) {
  const name = identifier.name;
  if (isSharedGlobal(identifier, r) && !isInDecorator(r)) return { before: `__dpor.global(${quote(name)}, ${r.site(identifier.start, name)}, `, after: ")" };
  if (isReplaceableGlobal(identifier, r) && !isInDecorator(r)) {
    return { before: `(${looksAtReplaced(identifier, r)}, `, after: ")" };
  }
  const binding = r.analysis.binding(identifier);
  if (binding?.declarator !== void 0) return pairedRead(identifier, binding, r);
  if (binding?.source === void 0 || binding.imported === "*" || isTool(binding.source) || isInDecorator(r)) return void 0;
  return { before: `__dpor.live(${quote(binding.imported)}, ${r.site(identifier.start, binding.name)}, `, after: ")" };
}
function liveMember(member, r) {
  const object = member.object;
  if (member.computed || object.type !== "Identifier" || isInDecorator(r)) return void 0;
  const binding = r.analysis.binding(object);
  if (binding?.imported !== "*" || isTool(binding.source)) return void 0;
  return { before: `__dpor.live(${quote(member.property.name)}, ${r.site(member.property.start, r.text(member))}, `, after: ")" };
}
var isInDecorator = (r) => r.ancestors.some(({ type }) => type === "Decorator");
function exportsOf2(r) {
  return r.analysis.exports.flatMap(({ name, local, imported: imported2 }) => {
    const binding = local === void 0 ? void 0 : r.analysis.moduleVariable(local);
    if (binding?.recorded) return [`[${quote(name)}, ${r.variable(binding)}]`];
    const other = imported2 ?? binding?.imported;
    return other !== void 0 && other !== "*" && other !== name ? [`[${quote(name)}, ${quote(other)}]`] : [];
  });
}

// plugin/3-rewrite/async-kinds.ts
var madeMethods = /* @__PURE__ */ new WeakSet();
var isMadeMethod = (node) => madeMethods.has(node);
function asyncExpression(node, r) {
  const { parent, value } = r.standing;
  const isCalledAtOnce = parent.type === "CallExpression" && parent.callee === value && !node.id;
  const name = node.id ? node.id.name : nameFrom(parent, value);
  if (isCalledAtOnce || name === void 0) return void 0;
  const after = node.generator ? ", true)" : ")";
  if (node.type === "FunctionExpression") {
    madeMethods.add(node);
    const method = { before: `__dpor.asynchronous({ ${quote(name)}`, after: ` }[${quote(name)}]${after}` };
    if (!mentionsItself(node, r)) return method;
    return { before: `(() => { const ${name} = ${method.before}`, after: `${method.after}; return ${name} })()` };
  }
  const [named, afterNamed] = name ? naming(name) : ["", ""];
  return { before: `__dpor.asynchronous(${named}`, after: `${afterNamed}${after}` };
}
function mentionsItself({ id, start, end }, r) {
  if (!id) return false;
  return `${r.source.slice(start, id.start)}${r.source.slice(id.end, end)}`.includes(id.name) || r.source.slice(start, end).includes("\\u") || r.source.slice(id.end, end).includes("eval");
}
function nameFrom(parent, value) {
  switch (parent.type) {
    case "VariableDeclarator":
      return parent.init === value && parent.id.type === "Identifier" ? parent.id.name : "";
    case "AssignmentPattern":
      return parent.right === value && parent.left.type === "Identifier" ? parent.left.name : "";
    case "AssignmentExpression":
      return parent.right === value && parent.left.type === "Identifier" && ["=", "??=", "||=", "&&="].includes(parent.operator) ? parent.left.name : "";
    case "Property":
    case "PropertyDefinition":
    case "AccessorProperty":
      if (parent.value !== value) return "";
      return parent.computed ? void 0 : keyName(parent.key);
    case "ExportDefaultDeclaration":
      return "default";
    default:
      return "";
  }
}
function keyName(key) {
  if (key.type === "PrivateIdentifier") return `#${key.name}`;
  const name = key.type === "Identifier" ? key.name : String(key.value);
  return name === "__proto__" ? "" : name;
}
function asyncDeclaration(node, r, write2) {
  const name = node.id ? node.id.name : r.names.fresh();
  const maker = r.names.fresh();
  const key = quote(node.id ? name : "default");
  const begins = beginBlock(`${name} = ${maker}();`, r);
  madeMethods.add(node);
  r.insert(node.start, `/* istanbul ignore next */ function ${name}() { '__dpor'; return ${maker}().apply(this, arguments) } function ${maker}() { return __dpor.asynchronous({ ${key}`);
  write2();
  withoutHead(node, r);
  r.insert(node.end, ` }[${key}]${node.generator ? ", true" : ""}) }${begins ? "" : ` ${name} = ${maker}();`}`);
}
function withoutHead({ id, start, end }, r) {
  const keyword = r.find("function", start, end);
  r.replace(keyword, keyword + "function".length, "");
  if (id) r.replace(id.start, id.end, "");
}
function beginBlock(text, r) {
  const around2 = r.ancestors.slice(0, -1).findLast(({ type }) => !type.startsWith("Export"));
  if (around2.type === "Program") r.beginnings.push(text);
  else if (around2.type === "BlockStatement") begin(around2, around2.start + 1, { text, r });
  else if (isFunction(around2) && isPlain(around2)) begin(around2.body, afterDirectives(around2.body.body, around2.body.start + 1), { text, r });
  else if (isFunction(around2)) bodies.get(around2.body).text += text;
  else return false;
  return true;
}
var bodies = /* @__PURE__ */ new WeakMap();
function bodyBegins(body, opening) {
  bodies.set(body, opening);
}
var isPlain = ({ async, generator, params }) => !async && !generator && params.every(({ type }) => type === "Identifier");
var beginnings = /* @__PURE__ */ new WeakMap();
function begin(block, at, { text, r }) {
  if (!block.body.some(({ start }) => start === at)) return void r.insert(at, text);
  const beginning = beginnings.get(block);
  if (beginning) beginning.text += text;
  else beginnings.set(block, r.edits.replace(at - 1, at, r.source[at - 1] + text));
}
var isKnown = ({ key, node }) => key !== void 0 && !node.generator;
function asyncMethods(members) {
  const isDecorated = members.some((member) => member.decorators?.length > 0);
  const places = members.map((member) => `${member.static ? "static " : ""}${member.key && !member.computed ? keyText2(member.key) : ""}`);
  return members.flatMap((member, i) => {
    if (!isAsyncMethod(member) || member.key.type === "PrivateIdentifier") return [];
    const isReplaced = isDecorated || !member.computed && places.lastIndexOf(places[i]) > i || members.slice(i + 1).some(mayReplace);
    return [{ key: isReplaced ? void 0 : keyOf(member), node: unwrap(member.value), isStatic: member.static === true }];
  });
}
function isAsyncMethod(member) {
  const isMethod3 = member.type === "MethodDefinition" ? member.kind === "method" : member.type === "Property" && (member.method || member.computed && isFunction(unwrap(member.value)));
  const fn = isMethod3 ? unwrap(member.value) : void 0;
  return !!fn?.async && !!fn.body;
}
function keyOf({ computed, key }) {
  if (!computed) return quote(keyText2(key));
  return isWellKnown(key) ? `Symbol.${key.property.name}` : void 0;
}
var isWellKnown = (key) => key.type === "MemberExpression" && !key.computed && key.object.type === "Identifier" && key.object.name === "Symbol";
function mayReplace(member) {
  if (member.type === "SpreadElement") return true;
  if (!member.computed) return false;
  const key = member.key;
  const maker = key.type === "CallExpression" ? key.callee : key.type === "MemberExpression" ? key.object : key;
  return !(maker.type === "Identifier" && maker.name === "Symbol");
}
var keyText2 = (key) => key.type === "Identifier" ? key.name : key.type === "PrivateIdentifier" ? `#${key.name}` : String(key.value);
function asyncMethodsOfClass({ body, decorators }, r) {
  if (decorators?.length > 0) return "";
  const methods = asyncMethods(body.body);
  const statements2 = [false, true].flatMap((isStatic) => {
    const target2 = isStatic ? "this" : "this.prototype";
    const own = methods.filter((method) => method.isStatic === isStatic);
    const known = own.filter(isKnown).map(({ key }) => `__dpor.asynchronous(${target2}[${key}])`);
    const searched = own.filter((method) => !isKnown(method));
    return searched.length > 0 ? [...known, `__dpor.asynchronousMembers(${target2}, [${searched.map((method) => entry(method, r)).join(", ")}])`] : known;
  });
  return statements2.length > 0 ? `static{${statements2.join(";")}}` : "";
}
function entry({ key, node }, r) {
  const isGenerator2 = node.generator ? ", true" : "";
  return key === void 0 ? `[,${isGenerator2 ? "" : " false"}${isGenerator2.slice(1)}, ${quote(r.callTails.get(unwrap(node)))}]` : `[${key}${isGenerator2}]`;
}
function asyncMethodsOfObject(node, r) {
  const methods = asyncMethods(node.properties);
  return methods.length > 0 ? `, [${methods.map((method) => entry(method, r)).join(", ")}]` : "";
}

// plugin/3-rewrite/places.ts
var longestText = 60;
var Places = class {
  all = [];
  #lines;
  #original;
  /** @param original where in the file stands what others have made of it */
  constructor(lines, original) {
    this.#lines = lines;
    this.#original = original;
  }
  /** @param name of an expression that makes an object: what it is made for */
  add(position, text, name) {
    const [line, column] = this.locate(position);
    const place = name === void 0 ? [line, column, shorten(text)] : [line, column, shorten(text), name];
    return this.all.push(place) - 1;
  }
  /** Line and column, both from 1. */
  locate(position) {
    const line = this.#lines.lineOf(position);
    const column = position - this.#lines.startOf(line) + 1;
    return this.#original?.(line + 1, column) ?? [line + 1, column];
  }
};
function shorten(text) {
  for (let length = 2 * longestText; ; length *= 2) {
    const line = text.slice(0, length).replaceAll(/\s+/g, " ");
    if (line.length > longestText) return `${line.slice(0, longestText - 1)}\u2026`;
    if (length >= text.length) return line;
  }
}

// plugin/3-rewrite/function-names.ts
function functionName(node, r, parent = r.parent) {
  if (node.id) return node.id.name;
  if (!parent) return "anonymous";
  switch (parent.type) {
    case "MethodDefinition":
    case "Property":
    case "PropertyDefinition":
      return keyText3(parent, r);
    case "VariableDeclarator":
      return parent.id.type === "Identifier" ? parent.id.name : "anonymous";
    case "AssignmentExpression":
      return shorten(r.text(parent.left));
    case "CallExpression":
    case "NewExpression":
      return parent.callee === node ? nameOfResult(parent, r) : nameOfCallback(parent, r);
    case "ExportDefaultDeclaration":
      return "default";
    case "ParenthesizedExpression":
      return functionName(parent, r, outside(parent, r));
    case "ReturnStatement":
      return nameOfReturned(node, r, enclosing(parent, r));
    case "ArrowFunctionExpression":
      return parent.body === node ? nameOfReturned(node, r, parent) : "anonymous";
    default:
      return "anonymous";
  }
}
function nameInStack(node, r) {
  const { parent, value } = r.standing;
  const isMethod3 = parent.type === "MethodDefinition";
  const own = node.id ? identifierName(node.id) : isMethod3 ? parent.computed ? "" : keyText3(parent, r) : nameFrom(parent, value) ?? "";
  if (isMethod3 || parent.type === "PropertyDefinition" || parent.type === "AccessorProperty") return owned(className(r), own);
  return parent.type === "Property" ? owned("Object", own) : own;
}
var identifierName = (target2) => target2?.type === "Identifier" ? target2.name : "";
var owned = (owner, name) => owner && name ? `${owner}.${name}` : name;
function className({ ancestors }) {
  const at = ancestors.findLastIndex(({ type }) => type === "ClassDeclaration" || type === "ClassExpression");
  const { id } = ancestors[at];
  const around2 = ancestors[at - 1];
  return identifierName(id ?? (around2.type === "VariableDeclarator" ? around2.id : around2.type === "AssignmentExpression" ? around2.left : null));
}
var outside = (node, r) => r.ancestors[r.ancestors.lastIndexOf(node) - 1];
var enclosing = (node, r) => r.ancestors.slice(0, r.ancestors.lastIndexOf(node)).findLast(({ type }) => /Function/.test(type));
function nameOfReturned(node, r, maker) {
  const name = maker ? functionName(maker, r, outside(maker, r)) : "anonymous";
  return name === "anonymous" ? name : `${name}()`;
}
function nameOfCallback(call, r) {
  const callee = calleeText(call.callee, r);
  const result = new RegExp("(?:^|\\.)use\\p{Lu}", "u").test(callee) ? nameOfResult(call, r) : "anonymous";
  return result === "anonymous" ? `${callee} callback` : result;
}
function nameOfResult(call, r) {
  let value = call;
  for (let i = r.ancestors.lastIndexOf(call) - 1; i >= 0; i--) {
    const around2 = r.ancestors[i];
    if (around2.type === "VariableDeclarator") return around2.init === value && around2.id.type === "Identifier" ? around2.id.name : "anonymous";
    if (around2.type !== "AwaitExpression" && around2.type !== "ParenthesizedExpression") return "anonymous";
    value = around2;
  }
  return "anonymous";
}
function keyText3(property, r) {
  const { key } = property;
  if (property.computed) return `[${shorten(r.text(key))}]`;
  if (key.type === "PrivateIdentifier") return `#${key.name}`;
  return key.type === "Identifier" ? key.name : String(key.value);
}
function nameAround(r) {
  const named = r.ancestors.findLast((node) => node.type === "FunctionDeclaration" || node.type === "MethodDefinition");
  if (named?.type === "MethodDefinition") return keyText3(named, r);
  return named?.id ? named.id.name : "anonymous";
}
function calleeText(callee, r) {
  const inner = unwrap(callee);
  if (inner.type === "CallExpression") return calleeText(inner.callee, r);
  if (inner.type === "MemberExpression" && !inner.computed && inner.property.type === "Identifier")
    return inner.object.type === "Identifier" ? `${inner.object.name}.${inner.property.name}` : inner.property.name;
  return inner.type === "Identifier" ? shorten(r.text(inner)).slice(0, 30) : nameAround(r);
}

// plugin/3-rewrite/down-levelled.ts
function driving(node, r) {
  const parameters = node.params;
  const known = r.drivingInside.get(node);
  if (known) return known;
  if (parameters.length === 1) drivingInside(node, r);
  if (node.async || node.generator || parameters.length < 3 || parameters.length > 4 || parameters.some(({ type }) => type !== "Identifier")) return void 0;
  const names2 = parameters.map((parameter) => parameter.name);
  const [self, args, generator] = [names2[0], names2[1], names2.at(-1)];
  const promise = names2.length === 4 ? names2[2] : "";
  if (!drivesGenerator(r.text(node.body), { self, args, generator })) return void 0;
  const [name, site2] = [r.names.fresh(), r.names.fresh()];
  r.insert(parameters.at(-1).end, `, ${name}, ${site2}`);
  return { isAsked: `__dpor.drives(${promise})`, call: `__dpor.drive(() => ${generator}.apply(${self}, ${args} || []), ${name}, ${site2})` };
}
function drivingInside(node, r) {
  const [parameter] = node.params;
  const inner = node.body.type === "BlockStatement" ? node.body.body.findLast(({ type }) => type === "ReturnStatement")?.argument : void 0;
  if (node.async || node.generator || parameter?.type !== "Identifier" || inner?.type !== "FunctionExpression" || inner.async || inner.generator || inner.params.length > 0) return;
  const generator = parameter.name;
  const text = r.text(inner.body);
  if (!text.includes(`${generator}.apply(`) || !/\bnew\b[\s\S]*\bPromise\b/.test(text) || !/(['"])next\1/.test(text) || !/(['"])throw\1/.test(text)) return;
  const [name, site2] = [r.names.fresh(), r.names.fresh()];
  r.insert(parameter.end, `, ${name}, ${site2}`);
  r.drivingInside.set(inner, { isAsked: "__dpor.drives()", call: `__dpor.drive(() => ${generator}.apply(this, arguments), ${name}, ${site2})` });
}
function drivesGenerator(text, { self, args, generator }) {
  const start = text.indexOf(`${generator}.apply(${self}`);
  if (start === -1 || !/\bnew\b[\s\S]*\bPromise\b/.test(text)) return false;
  const [s2, a, g] = [self, args, generator].map((name) => name.replaceAll("$", "\\$"));
  return new RegExp(`\\(${g}\\s*=\\s*${g}\\.apply\\(${s2},\\s*${a}(?:\\s*\\|\\|\\s*\\[\\])?\\)\\)\\.next\\(\\)`).test(text);
}
var helpers = { __awaiter: 4, __async: 3, _asyncToGenerator: 1, asyncToGenerator: 1, _async_to_generator: 1 };
var numbered = /\$?\d+$/;
function callsHelper(call) {
  let callee = unwrap(call.callee);
  if (callee.type === "SequenceExpression") callee = unwrap(callee.expressions.at(-1));
  if (callee.type === "MemberExpression" && (callee.property.name ?? callee.property.value) === "default") callee = callee.object;
  const name = callee.type === "Identifier" ? callee : callee.type === "MemberExpression" && !callee.computed ? callee.property : void 0;
  const given = call.arguments;
  if (name?.type !== "Identifier") return false;
  const helper = name.name.replace(numbered, "");
  return Object.hasOwn(helpers, helper) && helpers[helper] === given.length && isGenerator(given.at(-1));
}
var isGenerator = (node) => isFunction(node) || node.type === "CallExpression" && node.callee.type === "MemberExpression" && /^(?:mark|m)$/.test(String(node.callee.property.name));
function helperArguments(call, r) {
  if (!callsHelper(call)) return "";
  if (call.arguments.length === 1 && r.parent.callee !== call) return "";
  const depth = r.ancestors.findLastIndex((node2) => isFunction(node2));
  const node = r.ancestors[depth];
  if (!node) return "";
  const name = functionName(node, r, r.ancestors[depth - 1]).replace(/^(?:exports|[\w$]+\.prototype|module\.exports)\./, "");
  return `, ${quote(name)}, ${r.site(node.start, name)}`;
}
var namesHelper = /async_?to_?generator/i;
var forwarding = /^\{\s*return _[\w$]+\.apply\(this,\s*arguments\);?\s*\}$/;
function forwardedName(node, r) {
  if (!r.drivesGenerators || node.async || node.generator || !forwarding.test(r.text(node.body))) return "";
  const name = functionName(node, r, r.parent);
  return `if (__dporOn) __dpor.forwards(${quote(name)}, ${r.site(node.start, name)});`;
}
var mayDriveGenerators = (source) => namesHelper.test(source);
function isDriven(node, r) {
  const call = node && r.ancestors[r.ancestors.indexOf(node) - 1];
  return call?.type === "CallExpression" && call.arguments.at(-1) === node && callsHelper(call);
}

// plugin/2-analyse/strictness.ts
var ofModules2 = /^(?:Import|Export)/;
var mayBeSloppy = (program, file) => !/\.m[jt]s$/.test(file) && !hasDirective(program.body) && !program.body.some(({ type }) => ofModules2.test(type));
var isStrict = (node) => node.type === "ClassDeclaration" || node.type === "ClassExpression" || isFunction(node) && Array.isArray(node.body?.body) && hasDirective(node.body.body);
var hasDirective = (statements2) => statements2.some(({ directive }) => directive === "use strict");

// plugin/3-rewrite/output.ts
import { SourceMap } from "magic-string";

// plugin/3-rewrite/mappings.ts
var digits = new TextEncoder().encode("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/");
var [comma, semicolon, zero] = new TextEncoder().encode(",;A");
var longest = 32;
var Mappings = class {
  #text = new Uint8Array(1 << 12);
  #length = 0;
  #isFirstOfLine = true;
  #column = 0;
  #sourceLine = 0;
  #sourceColumn = 0;
  /** From a column of the output on: nothing of the source. */
  nothing(column) {
    this.#begin(column);
  }
  /** From a column of the output on: line and column of the source. All from 0. */
  source(column, line, sourceColumn) {
    this.#begin(column);
    this.#text[this.#length++] = zero;
    this.#write(line - this.#sourceLine);
    this.#write(sourceColumn - this.#sourceColumn);
    this.#sourceLine = line;
    this.#sourceColumn = sourceColumn;
  }
  endLine() {
    this.#reserve();
    this.#text[this.#length++] = semicolon;
    this.#isFirstOfLine = true;
    this.#column = 0;
  }
  toString() {
    return new TextDecoder().decode(this.#text.subarray(0, this.#length));
  }
  #begin(column) {
    this.#reserve();
    if (!this.#isFirstOfLine) this.#text[this.#length++] = comma;
    this.#isFirstOfLine = false;
    this.#write(column - this.#column);
    this.#column = column;
  }
  /** In digits of five bits, the lowest first; the sign is the lowest bit, and all but the last say that another follows. */
  #write(value) {
    let rest = value < 0 ? -value << 1 | 1 : value << 1;
    while (rest > 31) {
      this.#text[this.#length++] = digits[rest & 31 | 32];
      rest >>>= 5;
    }
    this.#text[this.#length++] = digits[rest];
  }
  #reserve() {
    if (this.#length + longest <= this.#text.length) return;
    const larger = new Uint8Array(this.#text.length * 2);
    larger.set(this.#text);
    this.#text = larger;
  }
};

// plugin/3-rewrite/output.ts
var newline = 10;
function isOfWord(code) {
  return code >= 97 && code <= 122 || code >= 65 && code <= 90 || code >= 48 && code <= 57 || code === 95 || code === 36 || code > 127;
}
var isSpace = (code) => code === 32 || code === 9 || code === 13;
var Output = class {
  #source;
  #lines;
  #commentsIn;
  #mappings = new Mappings();
  #pieces = [];
  #position = 0;
  #column = 0;
  #last = 0;
  /** @param commentsIn the comments between two positions, in the order of the source */
  constructor(source, lines, commentsIn) {
    this.#source = source;
    this.#lines = lines;
    this.#commentsIn = commentsIn;
  }
  /** Goes on with the source from another position. Returns where it was. */
  moveTo(position) {
    const before = this.#position;
    this.#position = position;
    return before;
  }
  /** Copies the source up to a position. */
  keep(end) {
    if (end <= this.#position) return;
    this.#write(this.#position, end);
    this.#position = end;
  }
  /** Inserts text that stands for what is at `origin`; undefined for nothing of the source. */
  insert(text, origin) {
    const written = this.#apart(text);
    if (origin === void 0) this.#mappings.nothing(this.#column);
    else this.#map(origin);
    this.#push(written);
    for (let i = written.indexOf("\n"); i !== -1; i = written.indexOf("\n", i + 1)) {
      this.#mappings.endLine();
      this.#column = written.length - i - 1;
    }
    if (!written.includes("\n")) this.#column += written.length;
  }
  /** Writes text instead of the source up to a position. */
  replace(end, text) {
    if (text) this.insert(text, this.#position);
    this.#position = end;
  }
  /** Copies a part of the source once more, on one line and without comments. */
  copy({ start, end }, holes) {
    let from = start;
    for (const hole of holes) {
      this.#copyPart({ start: from, end: hole.start });
      this.insert(hole.name, void 0);
      from = hole.end;
    }
    this.#copyPart({ start: from, end });
  }
  #copyPart({ start, end }) {
    let from = start;
    for (const comment of this.#commentsIn({ start, end })) {
      this.#copyLines(from, comment.start);
      this.#space();
      from = comment.end;
    }
    this.#copyLines(from, end);
  }
  #copyLines(start, end) {
    let from = start;
    for (let i = this.#source.indexOf("\n", from); i !== -1 && i < end; i = this.#source.indexOf("\n", from)) {
      this.#write(from, i);
      this.#space();
      from = i + 1;
      while (isSpace(this.#source.charCodeAt(from))) from++;
    }
    this.#write(from, end);
  }
  #space() {
    this.#push(" ");
    this.#column++;
  }
  finish(file) {
    const map = new SourceMap({ sources: [file], sourcesContent: [this.#source], names: [], mappings: String(this.#mappings) });
    return { code: this.#pieces.join(""), map };
  }
  #push(text) {
    if (text === "") return;
    this.#pieces.push(text);
    this.#last = text.charCodeAt(text.length - 1);
  }
  #map(position) {
    const line = this.#lines.lineOf(position);
    this.#mappings.source(this.#column, line, position - this.#lines.startOf(line));
  }
  #write(start, end) {
    if (start >= end) return;
    const source = this.#source;
    const mappings = this.#mappings;
    let line = this.#lines.lineOf(start);
    let lineStart = this.#lines.startOf(line);
    let isInWord = false;
    let column = this.#column;
    for (let i = start; i < end; i++, column++) {
      const code = source.charCodeAt(i);
      if (code === newline) {
        mappings.endLine();
        column = -1;
        line++;
        lineStart = i + 1;
        isInWord = false;
      } else if (isOfWord(code)) {
        if (!isInWord) mappings.source(column, line, i - lineStart);
        isInWord = true;
      } else {
        if (!isSpace(code) || i === start) mappings.source(column, line, i - lineStart);
        isInWord = false;
      }
    }
    this.#column = column;
    this.#push(source.slice(start, end));
  }
  /** In `return[x]` and `of[x]` a name must not grow together with the keyword. */
  #apart(text) {
    const before = this.#source.charCodeAt(this.#position - 1);
    return text !== "" && isOfWord(before) && isOfWord(text.charCodeAt(0)) && isOfWord(this.#last) ? ` ${text}` : text;
  }
};

// plugin/3-rewrite/edits.ts
var Edits = class {
  #insertions = [];
  #replacements = [];
  #source;
  /** How many texts call the runtime. */
  calls = 0;
  /** How many texts name what they make. */
  names = 0;
  constructor(source) {
    this.#source = source;
  }
  insert(at, text, origin = at) {
    this.#count(text);
    const insertion = { at, text, origin };
    this.#insertions.push(insertion);
    return insertion;
  }
  /** Text that stands for nothing of the source, unless it is what an error is said to come from: then for what is at `origin`. */
  insertOwn(at, text, origin) {
    const insertion = { at, text, origin };
    this.#insertions.push(insertion);
    return insertion;
  }
  copy(at, { start, end }, holes) {
    this.#insertions.push({ at, start, end, holes });
  }
  /** Takes out what was written into a part of the source since `mark`, and writes a name in its place. */
  cut({ start, end, name }, [insertions, replacements]) {
    const fragment = { start, end, insertions: this.#insertions.splice(insertions), replacements: this.#replacements.splice(replacements) };
    this.#replacements.push({ start, end, text: name });
    return fragment;
  }
  /** Undoes that. Of several the last one goes first. */
  putBack(fragment, [insertions, replacements]) {
    this.#insertions.splice(insertions, 0, ...fragment.insertions);
    this.#replacements.splice(replacements, 1, ...fragment.replacements);
  }
  /** Keeps the line breaks of what it replaces, so that every line stays where it is. */
  replace(start, end, text) {
    this.#count(text);
    const replacement = { start, end, text: text + "\n".repeat(this.#source.slice(start, end).split("\n").length - 1) };
    this.#replacements.push(replacement);
    return replacement;
  }
  #count(text) {
    if (!text.includes("__dpor")) return;
    this.calls++;
    if (text.includes("__dpor.made(") || text.includes("__dpor.construct(")) this.names++;
  }
  /** A mark for `firstCharacter` and `cut`. */
  get mark() {
    return [this.#insertions.length, this.#replacements.length];
  }
  /** The first character at `position` of what was written since `mark`, which is followed by the source. */
  firstCharacter(position, [insertions, replacements]) {
    for (let i = insertions; i < this.#insertions.length; i++) {
      const insertion = this.#insertions[i];
      if (insertion.at === position && "text" in insertion && insertion.text) return insertion.text[0];
    }
    const replacement = this.#replacements.slice(replacements).find(({ start }) => start === position);
    if (!replacement) return this.#source[position];
    const text = replacement.text.trimStart();
    return text[0] ?? this.#source.slice(replacement.end).trimStart()[0] ?? "";
  }
  /** @param commentsIn the comments between two positions */
  apply(file, lines, commentsIn) {
    const output = new Output(this.#source, lines, commentsIn);
    write(output, { start: 0, end: this.#source.length, insertions: this.#insertions, replacements: this.#replacements });
    return output.finish(file);
  }
};
function write(output, fragment) {
  const insertions = fragment.insertions.filter((insertion) => !("text" in insertion) || insertion.text !== "").toSorted((a, b) => a.at - b.at);
  const replacements = fragment.replacements.toSorted((a, b) => a.start - b.start);
  const position = output.moveTo(fragment.start);
  let next = 0;
  const writeInsertions = (upTo) => {
    for (let insertion = insertions[next]; insertion && insertion.at <= upTo; insertion = insertions[++next]) {
      output.keep(insertion.at);
      if ("text" in insertion) writeInsertion(output, insertion);
      else output.copy(insertion, insertion.holes);
    }
  };
  for (const { start, end, text } of replacements) {
    writeInsertions(start);
    output.keep(start);
    output.replace(end, text);
  }
  writeInsertions(fragment.end);
  output.keep(fragment.end);
  output.moveTo(position);
}
function writeInsertion(output, { text, origin, parts = [] }) {
  output.insert(text, origin);
  for (const part of parts) {
    if (typeof part === "string") output.insert(part, void 0);
    else write(output, part);
  }
}

// plugin/3-rewrite/lines.ts
var Lines = class {
  #starts = [0];
  /** The line that was asked for last. */
  #last = 0;
  constructor(source) {
    for (let i = source.indexOf("\n"); i !== -1; i = source.indexOf("\n", i + 1)) this.#starts.push(i + 1);
  }
  /** The number of the line that a position is in, from 0. */
  lineOf(position) {
    const starts = this.#starts;
    const last = this.#last;
    if (starts[last] <= position && (last + 1 === starts.length || position < starts[last + 1])) return last;
    return this.#last = firstFrom(starts, position + 1, (start) => start) - 1;
  }
  startOf(line) {
    return this.#starts[line];
  }
};

// plugin/3-rewrite/function-makers.ts
var names = /* @__PURE__ */ new Set(["Function", "AsyncFunction", "GeneratorFunction", "AsyncGeneratorFunction"]);
function makesFunctions(called) {
  const callee = unwrap(called);
  if (callee.type !== "MemberExpression") return isMaker(callee);
  return !callee.computed && (callee.property.name === "apply" || callee.property.name === "call") && isMaker(unwrap(callee.object));
}
var isMaker = (node) => node.type === "Identifier" && names.has(node.name);

// plugin/3-rewrite/leaf-functions.ts
var kinds = new Map([
  ...["MemberExpression", "CallExpression", "AssignmentExpression", "UpdateExpression"].map((type) => [type, "accesses"]),
  ...[
    "FunctionDeclaration",
    "FunctionExpression",
    "ArrowFunctionExpression",
    "ClassDeclaration",
    "ClassExpression",
    "ObjectExpression",
    "ArrayExpression",
    "NewExpression",
    "TaggedTemplateExpression",
    "RestElement",
    // What is the function's own.
    "Super",
    "MetaProperty",
    "YieldExpression",
    "AwaitExpression",
    // Declarations of types, whose members line breaks may separate, and of what is no variable of a function's own.
    "TSInterfaceDeclaration",
    "TSTypeAliasDeclaration",
    "TSEnumDeclaration",
    "TSModuleDeclaration",
    "TSImportEqualsDeclaration"
  ].map((type) => [type, "makes"]),
  ["ThrowStatement", "throws"],
  ["ThisExpression", "this"],
  ["Identifier", "name"],
  ["Literal", "literal"]
]);
var lightest = 6;
var LeafFunctions = class {
  #leaves = /* @__PURE__ */ new Map();
  #facts = { weight: 0, makes: 0, usesThis: false };
  /** @param look looks at what is in the function */
  function(node, look) {
    const around2 = this.#facts;
    around2.makes++;
    const facts = this.#facts = { weight: 0, makes: 0, usesThis: false };
    look();
    this.#facts = around2;
    if (facts.makes === 0 && facts.weight >= lightest) this.#leaves.set(node, facts);
  }
  look(node) {
    const kind = kinds.get(node.type);
    if (kind === void 0) return;
    const facts = this.#facts;
    switch (kind) {
      case "accesses":
        return void facts.weight++;
      case "makes":
        return void facts.makes++;
      // Nobody asks for the name that an error has where it is made.
      case "throws":
        return void (facts.makes -= node.argument.type === "NewExpression" ? 1 : 0);
      case "this":
        return void (facts.usesThis = true);
      case "name":
        return void (facts.makes += node.name === "arguments" || node.name === "eval" ? 1 : 0);
      case "literal":
        return void (facts.makes += node.regex ? 1 : 0);
      default:
        kind;
    }
  }
  /** What stands around the body of a leaf that calls the runtime. */
  frame(node, r) {
    const facts = this.#leaves.get(node);
    const parameters = node.params;
    if (!facts || node.async || node.generator || node.body.type !== "BlockStatement" || !r.once.isNotIn(node.body, { canHoist: false })) return void 0;
    const names2 = parameters.map(nameOf3);
    if (names2.includes(void 0)) return void 0;
    const list = names2.join(", ");
    const name = innerName(node, r);
    if (name === void 0) return void 0;
    if (node.type === "ArrowFunctionExpression") return { open: `if (__dporOn) { const ${name} = (${list}) => {`, close: `}; return ${name}(${list}); }` };
    return { open: `if (__dporOn) return function ${name}(${list}) {`, close: `}.call(${[facts.usesThis ? "this" : "void 0", ...names2].join(", ")});` };
  }
};
function nameOf3(parameter) {
  const variable = parameter.type === "AssignmentPattern" ? parameter.left : parameter;
  return variable.type === "Identifier" && variable.name !== "this" ? variable.name : void 0;
}
function innerName(node, r) {
  const { parent } = r;
  if (node.type === "FunctionExpression" && node.id && r.text({ start: node.id.end, end: node.end }).includes(node.id.name)) return void 0;
  const key = node.id ?? parent.key ?? parent.id;
  return `${r.names.table}_${key?.type === "Identifier" ? key.name : ""}`;
}
var ended = /* @__PURE__ */ new Set(["ExpressionStatement", "VariableDeclaration", "ReturnStatement", "ThrowStatement", "BreakStatement", "ContinueStatement", "DebuggerStatement", "DoWhileStatement"]);
function missingSemicolons(body, r) {
  const holes = [];
  const look = (node, parent) => {
    if (!/(?:Statement|Declaration|Case|Clause)$/.test(node.type)) return;
    forEachChild(node, (child) => look(child, node));
    const isInHead = parent.type.startsWith("For") && node !== parent.body;
    if (ended.has(node.type) && !isInHead && r.source[node.end - 1] !== ";") holes.push({ start: node.end, end: node.end, name: ";" });
  };
  forEachChild(body, (child) => look(child, body));
  return holes;
}

// plugin/3-rewrite/assertions.ts
var words = /* @__PURE__ */ new Set(["not", "to", "be", "been", "is", "that", "which", "and", "has", "have", "with", "at", "of", "same", "but", "does", "still", "also"]);
var byIdentity = /* @__PURE__ */ new Set([
  "toBe",
  "toContain",
  "toBeInstanceOf",
  "toHaveLength",
  "toBeTypeOf",
  "toBeGreaterThan",
  "toBeGreaterThanOrEqual",
  "toBeLessThan",
  "toBeLessThanOrEqual",
  "toBeCloseTo",
  "toThrow",
  "toThrowError",
  "toHaveBeenCalledTimes",
  "toMatchSnapshot",
  "toMatchInlineSnapshot",
  "toMatchFileSnapshot",
  "toThrowErrorMatchingSnapshot",
  "toThrowErrorMatchingInlineSnapshot",
  "toSatisfy",
  "a",
  "an",
  "equal",
  "include",
  "includes",
  "contain",
  "contains",
  "lengthOf",
  "instanceof",
  "throw",
  "throws"
]);
var byExpected = /* @__PURE__ */ new Set(["toMatchObject", "toHaveProperty", "property"]);
function isExpectCall(call, r) {
  const callee = call.callee;
  if (callee.type !== "MemberExpression") return vitestName(callee, r) === "expect";
  return !callee.computed && callee.property.name === "soft" && vitestName(callee.object, r) === "expect";
}
function assertionIn(expression, r) {
  const names2 = [];
  const calls = [];
  for (let node = unwrap(expression); ; ) {
    if (node.type === "MemberExpression" && !node.computed) {
      names2.unshift(node.property.name);
      node = unwrap(node.object);
    } else if (node.type !== "CallExpression") return void 0;
    else if (isExpectCall(node, r)) return { expected: node, names: names2, calls };
    else {
      calls.unshift(node);
      node = unwrap(node.callee);
    }
  }
}
var isSettled = ({ names: names2 }) => names2[0] === "resolves" || names2[0] === "rejects";
function isSettledAssertion(call, r) {
  const assertion = assertionIn(call, r);
  return assertion !== void 0 && assertion.calls.length === 1 && isSettled(assertion);
}
function matcherOf(assertion) {
  const [matcher, ...before] = (isSettled(assertion) ? assertion.names.slice(1) : assertion.names).toReversed();
  return matcher !== void 0 && assertion.calls.length <= 1 && before.every((word) => words.has(word)) ? matcher : void 0;
}
function assertedBy(expression, r) {
  const assertion = assertionIn(expression, r);
  return assertion?.calls.length === 1 && !isSettled(assertion) ? matcherOf(assertion) : void 0;
}
function expectArguments(call, r) {
  const outermost = r.ancestors.findLast(({ type }) => type !== "Identifier");
  const assertion = outermost && assertionIn(outermost, r);
  const matcher = assertion?.expected === call ? matcherOf(assertion) : void 0;
  const how = assertion?.expected === call && isSettled(assertion) ? `, ${matcher ? quote(matcher) : "void 0"}, true` : matcher ? `, ${quote(matcher)}` : "";
  for (const argument of call.arguments) {
    if (argument.type === "SpreadElement" || argument.type === "Literal") r.visit(argument);
    else r.wrap(argument, "__dpor.look(", `, ${site(argument, r)}${how})`);
  }
}
var site = (node, r) => r.site(node.start, shorten(r.text(node)));
function vitestArguments(call, r) {
  const assertion = assertionIn(call, r);
  const isMade = assertion !== void 0 || isMatcherMaker(call, r);
  const isCompared = isMade && !(assertion && byIdentity.has(assertion.names.at(-1) ?? "") && !assertion.names.includes("deep"));
  for (const argument of call.arguments) {
    if (!isCompared || showsNothing(argument, r)) r.visit(argument);
    else r.wrap(argument, "__dpor.look(", `, ${site(argument, r)})`);
  }
}
function isMatcherMaker(call, r) {
  const callee = unwrap(call.callee);
  const object = callee.type === "MemberExpression" ? unwrap(callee.object) : void 0;
  return object !== void 0 && (vitestName(object, r) === "expect" || object.type === "MemberExpression" && vitestName(unwrap(object.object), r) === "expect");
}
function showsNothing(argument, r) {
  const inner = unwrap(argument);
  return inner.type === "SpreadElement" || inner.type === "Literal" || inner.type === "TemplateLiteral" || isFunction(inner) || isVitest(inner, r);
}
function assertionWithArguments(call, r) {
  const callee = unwrap(call.callee);
  if (callee.type !== "MemberExpression" || callee.computed) return false;
  if (vitestName(unwrap(callee.object), r) === "assert") {
    r.insert(argumentsStart(call, r), `...__dpor.asserted(${quote(`assert.${callee.property.name}`)}, ${site(call, r)}, [], [`);
    visitEach(call, r);
    return true;
  }
  const assertion = assertionIn(call, r);
  const [value, ...others] = assertion?.expected.arguments ?? [];
  if (!assertion || !value || value.type === "SpreadElement" || others.length > 0 || isSettled(assertion) || call.arguments.length === 0) return false;
  const matcher = matcherOf(assertion) ?? "";
  const waits2 = r.analysis.suspends({ start: argumentsStart(call, r), end: call.end });
  if (!waits2 && !byExpected.has(matcher)) return false;
  if (assertion.expected.start !== call.start || assertion.calls.length > 1) return false;
  if (waits2) {
    afterWaiting(call, assertion, r);
    return true;
  }
  const name = r.names.fresh();
  r.replace(call.start, value.start, "__dpor.given(");
  r.wrap(value, value.type === "SequenceExpression" ? "(" : "", value.type === "SequenceExpression" ? ")" : "");
  r.replace(value.end, assertion.expected.end, `, (${name}) => ${r.text(assertion.expected.callee)}(${name})`);
  r.insert(argumentsStart(call, r), `...__dpor.asserted(${quote(matcher)}, ${site(value, r)}, [${name}], [`);
  visitEach(call, r);
  r.insert(call.end, ")");
  return true;
}
function afterWaiting(call, assertion, r) {
  const [value] = assertion.expected.arguments;
  const name = r.temporary();
  r.wrap(value, `${name} = (`, ")");
  r.insert(argumentsStart(call, r), `...__dpor.asserted(${quote(matcherOf(assertion) ?? "")}, ${site(value, r)}, [${name}], [`);
  visitEach(call, r);
}
function visitEach(call, r) {
  for (const argument of call.arguments) r.visit(argument);
  r.insert(call.end - 1, "])");
}
function argumentsStart(call, r) {
  const first = call.arguments[0];
  return r.find("(", call.typeArguments?.end ?? call.callee.end, first?.start ?? call.end) + 1;
}

// plugin/3-rewrite/operands.ts
var coercing = /* @__PURE__ */ new Set(["+", "-", "*", "/", "%", "**", "<", ">", "<=", ">=", "==", "!=", "&", "|", "^", "<<", ">>", ">>>"]);
var isEquality = (operator) => operator === "==" || operator === "!=";
var isCoercing = (operator) => coercing.has(operator);
var primitiveGlobals = /* @__PURE__ */ new Set(["undefined", "NaN", "Infinity"]);
var primitiveFunctions = /* @__PURE__ */ new Set(["Number", "String", "Boolean", "BigInt", "parseInt", "parseFloat", "isNaN", "isFinite"]);
var numbers = /* @__PURE__ */ new Set(["length", "size", "byteLength", "byteOffset"]);
function isPrimitive2(node, r) {
  const inner = unwrap(node);
  switch (inner.type) {
    case "Literal":
      return !inner.regex;
    case "TemplateLiteral":
    case "UnaryExpression":
    case "UpdateExpression":
    case "BinaryExpression":
      return true;
    case "LogicalExpression":
      return isPrimitive2(inner.left, r) && isPrimitive2(inner.right, r);
    case "ConditionalExpression":
      return isPrimitive2(inner.consequent, r) && isPrimitive2(inner.alternate, r);
    case "AssignmentExpression":
      return inner.operator === "=" ? isPrimitive2(inner.right, r) : isCoercing(inner.operator.slice(0, -1));
    case "Identifier":
      return r.analysis.binding(inner)?.primitive ?? isGlobal(inner, primitiveGlobals, r);
    case "MemberExpression":
      return !inner.computed && numbers.has(inner.property.name);
    case "CallExpression":
      return isGlobal(inner.callee, primitiveFunctions, r);
    default:
      return false;
  }
}
var isNullish = (node) => {
  const inner = unwrap(node);
  return inner.type === "Literal" && inner.value === null && inner.raw === "null" || inner.type === "Identifier" && inner.name === "undefined";
};
function operand(node, r) {
  if (isPrimitive2(node, r)) return r.visit(node);
  const inner = unwrap(node);
  const site2 = r.site(node.start, shorten(r.text(node)));
  if (inner === node && inner.type === "Identifier" && !r.recorded(inner) && !liveRead(inner, r)) {
    const name = inner.name;
    r.replace(node.start, node.end, `(typeof ${name} === 'object' ? __dpor.coerced(${name}, ${site2}) : ${name})`);
  } else r.wrap(node, "__dpor.coerced((", `), ${site2})`);
}
function operands(node, r) {
  const operator = node.operator;
  const { left, right } = node;
  if (!isCoercing(operator) || isEquality(operator) && (isNullish(left) || isNullish(right))) return r.children(node);
  if (isPrimitive2(left, r) || !r.analysis.suspends(right)) {
    operand(left, r);
    return operand(right, r);
  }
  const kept = r.temporary();
  r.wrap(left, `(${kept} = (`, "))");
  r.wrap(right, "__dpor.coerced((", `), ${r.site(node.start, shorten(r.text(node)))}, ${kept})`);
}

// plugin/3-rewrite/native-chains.ts
function native(member, r) {
  const object = member.object;
  if (object.type === "MemberExpression" || object.type === "CallExpression") nativeChain(object, r);
  else r.visit(object);
  if (member.computed) operand(member.property, r);
}
function nativeChain(node, r) {
  const inner = unwrap(node);
  switch (inner.type) {
    case "ChainExpression":
      return nativeChain(inner.expression, r);
    case "MemberExpression":
      nativeChain(inner.object, r);
      return inner.computed ? r.visit(inner.property) : void 0;
    case "CallExpression":
      nativeChain(inner.callee, r);
      return visitNativeArguments(inner, r);
    case "Identifier":
    case "Super":
    case "MetaProperty":
      return;
    default:
      r.visit(inner);
  }
}
function visitNativeArguments(call, r) {
  if (isExpectCall(call, r)) return expectArguments(call, r);
  for (const argument of call.arguments) r.visit(argument);
}

// plugin/3-rewrite/line-breaks.ts
var continues = "([`<+-/";
var endsByExpression = /^(?:ExpressionStatement|VariableDeclaration|ReturnStatement|ThrowStatement|ExportNamedDeclaration|ExportDefaultDeclaration)$/;
function isOpen(node, r) {
  if (!node || hasSemicolon(node, r)) return false;
  if (endsByExpression.test(node.type)) return true;
  const last = node.type === "IfStatement" ? node.alternate ?? node.consequent : /^(?:For.*|While|Labeled|With)Statement$/.test(node.type) ? node.body : void 0;
  return isOpen(last, r);
}
var continuesField = /^(?:async\s*)?(?:[[*]|in(?:stanceof)?\b)/;
function separateMembers(members, r) {
  members.forEach((member, i) => {
    if (isOpenField(members[i - 1], r) && continuesField.test(r.source.slice(member.start, member.end))) r.insert(member.start, ";");
  });
}
var isOpenField = (member, r) => member !== void 0 && /^(?:PropertyDefinition|AccessorProperty)$/.test(member.type) && !hasSemicolon(member, r);
var hasSemicolon = ({ end }, r) => r.source[end - 1] === ";";

// plugin/3-rewrite/privates.ts
function ClassBody(node, r) {
  const kinds2 = /* @__PURE__ */ new Map();
  const asyncMethods2 = /* @__PURE__ */ new Map();
  const given = /* @__PURE__ */ new Set();
  for (const member of node.body) {
    if (member.key?.type !== "PrivateIdentifier") continue;
    const name = member.key.name;
    if (!member.static && r.parent.superClass) given.add(name);
    if (member.type === "PropertyDefinition") kinds2.set(name, "field");
    else if (member.type === "MethodDefinition" && member.kind === "method") kinds2.set(name, "method");
    else kinds2.set(name, "accessor");
    if (kinds2.get(name) === "method" && member.value.async) asyncMethods2.set(name, { isGenerator: member.value.generator });
  }
  r.privateNames.push({ kinds: kinds2, given, asyncMethods: asyncMethods2 });
  if (given.size > 0) {
    const names2 = [...given].map((name) => quote(`#${name}`)).join(", ");
    r.insert(node.start + 1, ` #${r.names.fresh()} = __dporOn ? __dpor.privatesGiven(this, [${names2}], ${r.site(node.start, "class")}) : void 0;`);
  }
  separateMembers(node.body, r);
  r.children(node);
  r.privateNames.pop();
}
function namesWith(name, r) {
  return r.privateNames.findLast(({ kinds: kinds2 }) => kinds2.has(name));
}
function isPrivateField(member, r) {
  const name = member.property.name;
  return namesWith(name, r)?.kinds.get(name) === "field";
}
function isGiven(name, object, r) {
  return object !== "this" && namesWith(name, r)?.given.has(name) === true;
}
function privatePlace(object, member, r) {
  const key = `#${member.property.name}`;
  const site2 = r.site(member.property.start, r.text(member));
  const place = `${object}, ${quote(key)}, ${isGiven(member.property.name, object, r) ? privateLook(object, key, site2) : site2}`;
  const field = `${object}.${key}`;
  const [owner, value] = [r.names.fresh(), r.names.fresh()];
  return {
    field,
    place,
    read: `__dpor.privateGet(${place}, ${field})`,
    find: `(${owner}) => ${owner}.${key}`,
    restore: `(${owner}, ${value}) => { ${owner}.${key} = ${value} }`,
    set: `(${value}) => { ${field} = ${value} }`
  };
}
var privateLook = (object, key, site2) => `__dpor.privateLook(${object}, ${quote(key)}, ${site2})`;
function privateIn(node, r) {
  const name = node.left.name;
  if (!isGiven(name, r.text(node.right), r)) return r.children(node);
  if (!isRepeatable(node.right, r)) r.replace(node.start, node.right.start, "");
  withPrivateObject({ object: node.right }, node, r, (object, start) => {
    const has = `__dpor.privateHas(${object}, ${quote(`#${name}`)}, ${r.site(node.start, r.text(node))}, #${name} in ${object})`;
    if (start < node.end) r.replace(start, node.end, has);
    else r.insert(start, has);
  });
}
function withPrivateObject(member, whole, r, emit) {
  const object = member.object;
  if (isRepeatable(object, r)) return emit(r.text(object), whole.start);
  if (r.canKeep) {
    const name2 = r.temporary();
    r.insert(whole.start, `(${name2} = `);
    r.visit(member.object);
    r.insert(member.object.end, ", ");
    emit(name2, member.object.end);
    r.insert(whole.end, ")");
    return;
  }
  const name = r.names.fresh();
  r.insert(whole.start, "__dpor.given(");
  r.visit(member.object);
  r.insert(member.object.end, `, (${name}) => `);
  emit(name, member.object.end);
  r.insert(whole.end, ")");
}
function asyncMethodRead(member, r) {
  const name = member.property.name;
  const method = namesWith(name, r)?.asyncMethods.get(name);
  return method ? ["__dpor.asynchronousOnce(", method.isGenerator ? ", true)" : ")"] : ["", ""];
}
function PrivateRead(member, r) {
  const [before, after] = asyncMethodRead(member, r);
  r.insert(member.start, before);
  privateRead(member, r);
  r.insert(member.end, after);
}
function privateRead(member, r) {
  if (!isPrivateField(member, r) && !isGiven(member.property.name, r.text(member.object), r)) return nativeChain(member.object, r);
  withPrivateObject(member, member, r, (object, start) => r.replace(start, member.end, privatePlace(object, member, r).read));
}

// plugin/3-rewrite/supers.ts
var isSuper = (node) => node.type === "MemberExpression" && node.object.type === "Super";
function standIns(r) {
  const owner = r.ancestors.findLast((node) => isFunction(node) && node.type !== "ArrowFunctionExpression" || node.type === "PropertyDefinition" || node.type === "StaticBlock");
  return owner && r.superStandIns.get(owner);
}
var siteOf = (member, r) => r.site(member.property.start, r.text(member));
function plainGet(key, r) {
  const functions = standIns(r);
  return functions ? `${functions.get}(${key})` : `super[${key}]`;
}
function setter(r) {
  const functions = standIns(r);
  if (functions) return functions.set;
  const [key, value] = [r.names.fresh(), r.names.fresh()];
  return `(${key}, ${value}) => super[${key}] = ${value}`;
}
var getCall = (key, site2, r) => `__dpor.superGet(this, ${key}, __dpor.superLook(this, ${key}, ${site2}), ${plainGet(key, r)})`;
function superRead(member, r) {
  const site2 = siteOf(member, r);
  if (!member.computed) return r.replace(member.start, member.end, getCall(quote(member.property.name), site2, r));
  const key = r.names.fresh();
  around(member, r, "__dpor.given(__dpor.superKey((this, ", `)), (${key}) => ${getCall(key, site2, r)})`);
}
function around(member, r, before, after, { from = member.start, upTo = member.end } = {}) {
  const sequence = member.property.type === "SequenceExpression";
  r.replace(from, member.property.start, `${before}${sequence ? "(" : ""}`);
  r.visit(member.property);
  r.replace(member.property.end, upTo, `${sequence ? ")" : ""}${after}`);
}
function superAssignment(node, member, upTo, r) {
  const site2 = siteOf(member, r);
  const operator = node.operator.slice(0, -1);
  const isLogical2 = operator === "??" || operator === "||" || operator === "&&";
  const key = member.computed ? r.temporary() : quote(member.property.name);
  const first = member.computed ? `(${key} = ${operator === "" ? "(" : "__dpor.superKey("}(this, ` : "";
  const set = `__dpor.superSet(this, ${key}, ${site2}, `;
  const read2 = getCall(key, site2, r);
  const [before, after] = operator === "" ? [set, ""] : isLogical2 ? [`(${read2} ${operator} ${set}`, ")"] : [`${set}${read2} ${operator} (`, ")"];
  if (member.computed) around(member, r, first, `)), ${before}`, { from: node.start, upTo });
  else r.replace(node.start, upTo, before);
  r.visit(node.right);
  r.insert(node.right.end, `${operator !== "" && !isLogical2 ? after : ""}, ${setter(r)})${isLogical2 ? after : ""}${member.computed ? ")" : ""}`);
}
function superUpdate(node, member, r) {
  const site2 = siteOf(member, r);
  const by = node.operator === "++" ? 1 : -1;
  const increment = (key2) => `__dpor.superIncrement(this, ${key2}, ${site2}, ${getCall(key2, site2, r)}, ${by}, ${node.prefix}, ${setter(r)})`;
  if (!member.computed) return r.replace(node.start, node.end, increment(quote(member.property.name)));
  const key = r.names.fresh();
  around(member, r, "__dpor.given(__dpor.superKey((this, ", `)), (${key}) => ${increment(key)})`, { from: node.start, upTo: node.end });
}
function superTarget(node, r) {
  const member = unwrap(node);
  const site2 = siteOf(member, r);
  if (member.computed) around(member, r, "__dpor.superReference(this, ", `, ${site2}, ${setter(r)}).value`, { from: node.start, upTo: node.end });
  else r.replace(node.start, node.end, `__dpor.superReference(this, ${quote(member.property.name)}, ${site2}, ${setter(r)}).value`);
}

// plugin/3-rewrite/members.ts
var isPrivate = (member) => member.property.type === "PrivateIdentifier";
function memberSite(member, r) {
  return r.site(member.property.start, r.text(member));
}
var accessPosition = (member, r) => member.computed ? r.find("[", member.object.end, member.property.start) : member.property.start;
function access(member, r, { open, close, outer = member, upTo = outer.end, keyPrefix = "" }) {
  r.insert(outer.start, open, accessPosition(member, r));
  const parens = ")".repeat(r.count("(", outer.start, member.start));
  r.visit(member.object);
  accessKey(member, r, { close, parens, upTo, keyPrefix });
}
function accessKey(member, r, { close, parens = "", upTo = member.end, keyPrefix = "" }) {
  const { object, property } = member;
  if (!member.computed) {
    const start = r.find(member.optional ? "?." : ".", object.end, property.start);
    return r.replace(start, upTo, `${parens}, ${quote(property.name)}${close}`);
  }
  const bracket = r.find("[", object.end, property.start);
  const sequence = property.type === "SequenceExpression";
  r.replace(member.optional ? r.find("?.", object.end, bracket) : bracket, bracket + 1, `${parens}, ${keyPrefix}${sequence ? "(" : ""}`);
  r.visit(property);
  r.replace(r.find("]", property.end, member.end), upTo, `${sequence ? ")" : ""}${close}`);
}
var isVariableOfEnvironment = (member, r) => !member.computed && !member.optional && isProcessEnv(unwrap(member.object), r);
function environmentRead(member, r) {
  r.insert(member.start, `__dpor.privateGet(process.env, ${quote(member.property.name)}, ${memberSite(member, r)}, `, member.property.start);
  r.insert(member.end, ")");
}
function nativeRead(member, r) {
  const look = builtInLook(member, r, { isCalled: false });
  if (look === void 0) return native(member, r);
  r.insert(member.start, look);
  native(member, r);
  r.insert(member.end, ")");
}
function MemberExpression(member, r) {
  if (isPrivate(member)) return PrivateRead(member, r);
  if (isSuper(member)) return superRead(member, r);
  if (isVariableOfEnvironment(member, r)) return environmentRead(member, r);
  const live = liveMember(member, r);
  if (live) {
    r.insert(member.start, live.before);
    return void r.insert(member.end, live.after);
  }
  if (leavesReads(member, r)) return nativeRead(member, r);
  access(member, r, { open: "__dpor.get(", close: `, ${memberSite(member, r)})` });
}

// plugin/3-rewrite/twins.ts
var expressions = /* @__PURE__ */ new Set([
  "ArrayExpression",
  "AssignmentExpression",
  "BinaryExpression",
  "CallExpression",
  "ChainExpression",
  "ConditionalExpression",
  "Identifier",
  "Literal",
  "LogicalExpression",
  "MemberExpression",
  "NewExpression",
  "ObjectExpression",
  "ParenthesizedExpression",
  "SequenceExpression",
  "TemplateLiteral",
  "TSAsExpression",
  "TSNonNullExpression",
  "TSSatisfiesExpression",
  "TSTypeAssertion",
  "UnaryExpression",
  "UpdateExpression"
]);
var mayBeTwin = (node, r) => expressions.has(node.type) && r.once.isNotIn(node, { canHoist: r.canKeep });
function twin(node, r, { write: write2, plain = ["", ""] }) {
  const open = r.edits.insertOwn(node.start, "");
  const { calls, names: names2 } = r.edits;
  const site2 = r.places.all.length;
  const hoisted = write2();
  const within = (count) => hoisted.reduce((sum, part) => sum + part[count], 0);
  if (r.edits.calls === calls + within("calls")) return hoisted.toReversed().forEach((part) => r.putBack(part));
  const [before, after] = node.type === "SequenceExpression" ? ["(", ")"] : ["", ""];
  open.text = "(";
  const condition = `${r.edits.names > names2 + within("names") ? namesOr(site2, r) : flag} ? ${before}`;
  open.parts = [...hoisted.flatMap(({ name, fragment }) => [`${name} = (0, `, fragment, "), "]), condition];
  const origin = plain[1] === "" ? void 0 : node.start;
  r.edits.insertOwn(node.end, `${after} : `);
  r.edits.insertOwn(node.end, `${plain[0]}${before}`, origin);
  r.edits.copy(node.end, node, hoisted);
  r.edits.insertOwn(node.end, `${after}${plain[1]}`, origin);
  r.edits.insertOwn(node.end, ")");
}
var flag = "__dporOn";
var mostNamed = 250;
var namesOr = (site2, r) => `${flag} || __dporNames && !(__dporNames[${r.names.table}+${site2}]++ >= ${mostNamed})`;

// plugin/3-rewrite/declared-functions.ts
function nameDeclared(declarator, r) {
  const { id, init } = declarator;
  if (!isFunction(init) && init.type !== "ClassExpression") return;
  if (!isLocal(r) || r.ancestors.at(-3)?.type === "ExportNamedDeclaration") return;
  if (!r.analysis.uses(id).some((use) => !isCalled(use, r))) return;
  r.insert(declarator.end, `, ${r.names.fresh()} = __dpor.closure(${id.name})`);
}
function nameDeclaredClass(declaration, r) {
  if (isLocal(r)) r.insert(declaration.end, ` __dpor.closure(${declaration.id.name});`);
}
function nameDeclaredFunction(declaration, r) {
  if (!isLocal(r) || !r.analysis.uses(declaration.id).some((use) => !isCalled(use, r))) return;
  const text = `__dpor.closure(${declaration.id.name});`;
  if (!beginBlock(text, r)) r.insert(declaration.end, ` ${text}`);
}
function isMadeInside(definition, r) {
  const made = unwrap(definition);
  return (isFunction(made) || made.type === "ClassExpression") && isLocal(r);
}
var isLocal = (r) => r.ancestors.slice(0, -1).some((ancestor) => isFunction(ancestor) || ancestor.type === "StaticBlock");
var isCalled = (use, r) => /^\s*\(/.test(r.source.slice(use.end, use.end + 20));

// plugin/3-rewrite/results.ts
function isUnused(r) {
  for (let i = r.ancestors.length - 1; i > 0; i--) {
    const use = useIn(r.ancestors[i - 1], r.ancestors[i]);
    if (use !== "passed on") return use === "none";
  }
  return false;
}
function useIn(parent, part) {
  switch (parent.type) {
    case "ExpressionStatement":
      return parent.expression === part ? "none" : "some";
    case "ForStatement":
      return parent.update === part || parent.init === part ? "none" : "some";
    case "UnaryExpression":
      return parent.operator === "void" ? "none" : "some";
    case "SequenceExpression":
      return parent.expressions.at(-1) === part ? "passed on" : parent.expressions.includes(part) ? "none" : "some";
    case "ConditionalExpression":
      return parent.consequent === part || parent.alternate === part ? "passed on" : "some";
    case "LogicalExpression":
      return parent.right === part ? "passed on" : "some";
    case "ParenthesizedExpression":
    case "TSNonNullExpression":
    case "TSAsExpression":
    case "TSSatisfiesExpression":
    case "TSTypeAssertion":
      return parent.expression === part ? "passed on" : "some";
    default:
      return "some";
  }
}
var unusedArgument = (r) => isUnused(r) ? ", true" : "";

// plugin/3-rewrite/variables.ts
function Identifier(node, r) {
  r.uses(node);
  const binding = r.recorded(node);
  if (!binding) return imported(node, r);
  r.insert(node.start, `${readPrefix(binding, node, r)}`);
  r.insert(node.end, ")");
}
function imported(node, r) {
  const read2 = liveRead(node, r);
  if (!read2) return;
  r.insert(node.start, read2.before);
  r.insert(node.end, read2.after);
}
var readPrefix = (binding, node, r) => `__dpor.read(${r.variable(binding)}, ${r.site(node.start, binding.name)}, `;
var readVariable = (binding, node, r) => `${readPrefix(binding, node, r)}${binding.name})`;
var restore = (name, r) => {
  const value = r.names.fresh();
  return `(${value}) => { ${name} = ${value} }`;
};
var current = ({ name, scope }) => scope.type === "global" ? `typeof ${name} === 'undefined' ? void 0 : ${name}` : name;
function writeVariable(binding, node, value, r) {
  const { name } = binding;
  const before = `__dpor.write(${r.variable(binding)}, ${r.site(node.start, name)}, ${current(binding)}, `;
  const after = `, ${restore(name, r)})`;
  const [made, afterMade] = value && isMadeInside(value, r) ? ["__dpor.closure(", ")"] : ["", ""];
  const [named, afterNamed] = value && isAnonymousDefinition(value) ? naming(name) : ["", ""];
  return [`${before}${made}${named}`, `${afterNamed}${afterMade}${after}`];
}
function variablePlace(binding, node, r) {
  const { name } = binding;
  return `__dpor.variable(${r.variable(binding)}, ${r.site(node.start, name)}, () => ${name}, ${restore(name, r)}).value`;
}
function increaseVariable(binding, node, sign, r) {
  const { name } = binding;
  return [`__dpor.increases(${r.variable(binding)}, ${r.site(node.start, name)}, ${name}, ${sign}, `, `, ${restore(name, r)})`];
}
function incrementVariable(binding, update, r) {
  const { name } = binding;
  const by = update.operator === "++" ? 1 : -1;
  const call = `__dpor.increments(${r.variable(binding)}, ${r.site(update.argument.start, name)}, ${name}, ${by}, ${restore(name, r)}${unusedArgument(r)}), `;
  r.insert(update.start, `(${call}`);
  r.insert(update.end, ")");
}

// plugin/3-rewrite/patterns.ts
var withoutDefault = (node) => node.type === "AssignmentPattern" ? withoutDefault(node.left) : node;
function keyOf2(property) {
  if (property.type !== "Property" || property.computed) return void 0;
  return property.key.type === "Identifier" ? property.key.name : String(property.key.value);
}
function shapeOf(pattern, value, r) {
  if (pattern.type === "ArrayPattern") return elementsOf(pattern, value, r);
  if (pattern.type !== "ObjectPattern") return void 0;
  const entries = pattern.properties.map((property) => {
    const key = keyOf2(property);
    if (key === void 0) return "null";
    const text = value ? `${value}.${key}` : key;
    const nested = shapeOf(withoutDefault(property.value), text, r);
    return `[${quote(key)}, ${r.site(property.start, text)}${nested ? `, ${nested}` : ""}]`;
  });
  return `[${entries.join(", ")}]`;
}
function elementsOf(pattern, value, r) {
  const items = nestedItems(pattern, r);
  return `{ site: ${r.site(pattern.start, value || r.text(pattern))}${items ? `, ${items}` : ""} }`;
}
function nestedItems(pattern, r) {
  const items = pattern.elements.map((element) => element && element.type !== "RestElement" ? shapeOf(withoutDefault(element), "", r) : void 0);
  return items.some((item) => item) ? `items: [${items.map((item) => item ?? "null").join(", ")}]` : void 0;
}
function taken(pattern, position, text, r) {
  if (pattern.type === "ObjectPattern")
    return pattern.properties.length === 0 ? ["", ""] : patternAround(pattern, text, r);
  if (pattern.type !== "ArrayPattern") return ["", ""];
  const site2 = r.site(position, text || r.text(pattern), pairName(pattern, r));
  const items = nestedItems(pattern, r);
  return ["__dpor.iterate(", items ? `, ${site2}, { site: ${site2}, ${items} })` : `, ${site2})`, ["__dpor.iterable(", `, ${site2})`]];
}
function patternAround(pattern, text, r) {
  const shape = shapeOf(pattern, text, r);
  const plain = text ? plainAround(shape, { pattern, text }, r) : void 0;
  const [before, after] = plain && shape.startsWith("[null") ? plain : ["", ""];
  return [`__dpor.pattern(${before}`, `${after}, ${shape})`, plain];
}
function plainAround(shape, { pattern, text }, r) {
  const first = /^\[\[((?:'[^']*'|"(?:[^"\\]|\\.)*"), [^,\]]+)/.exec(shape)?.[1] ?? (shape.startsWith("[null") ? `null, ${r.site(pattern.start, text)}` : void 0);
  if (first === void 0) return void 0;
  if (!r.canKeep) return ["__dpor.taken(", `, ${first})`];
  const name = r.temporary();
  return [`(${name} = `, `) ?? __dpor.taken(${name}, ${first})`];
}
function valueText(value, r) {
  const inner = unwrap(value);
  if (inner.type === "Identifier" || inner.type === "MemberExpression" || inner.type === "ThisExpression") return r.text(inner);
  if (inner.type === "Literal" && inner.bigint === void 0 && inner.regex === void 0) return r.text(inner);
  if ((inner.type === "CallExpression" || inner.type === "NewExpression") && isPath(inner.callee)) return `${inner.type === "NewExpression" ? "new " : ""}${r.text(inner.callee)}(...)`;
  return isEmpty(inner) && inner.type === "ObjectExpression" ? "{}" : "(intermediate value)";
}
var isPath = (node) => node.type === "Identifier" || node.type === "ThisExpression" || node.type === "MemberExpression" && !node.computed && !node.optional && isPath(node.object);
function destructured(pattern, value, r, { used = false } = {}) {
  if (isHoisted(value, r)) return r.visit(value);
  const text = valueText(value, r);
  const [before, after, plain] = used && pattern.type === "ArrayPattern" ? ["__dpor.pattern(", `, ${shapeOf(pattern, text, r)})`, void 0] : taken(pattern, value.start, text, r);
  r.wrap(value, before, after, plain);
}
function declarationPattern(pattern, r) {
  if (!pattern) return;
  switch (pattern.type) {
    case "ObjectPattern":
      for (const property of pattern.properties) {
        if (property.type === "Property" && property.computed) operand(property.key, r);
        declarationPattern(property.type === "RestElement" ? property.argument : property.value, r);
      }
      return;
    case "ArrayPattern":
      for (const element of pattern.elements) declarationPattern(element, r);
      return;
    case "AssignmentPattern":
      declarationPattern(pattern.left, r);
      return defaultOf(pattern, r);
    case "RestElement":
      return declarationPattern(pattern.argument, r);
    case "TSParameterProperty":
      return declarationPattern(pattern.parameter, r);
    default:
  }
}
function defaultOf(pattern, r) {
  const right = pattern.right;
  const [before, after] = isEmpty(right) ? ["", ""] : taken(pattern.left, right.start, valueText(right, r), r);
  r.insert(right.start, before);
  r.visitIn(pattern, right);
  r.insert(right.end, after);
}
var isEmpty = (node) => node.type === "ObjectExpression" && node.properties.length === 0 || node.type === "ArrayExpression" && node.elements.length === 0;
function bound(pattern) {
  switch (pattern?.type) {
    case "Identifier":
      return [{ name: pattern, isRest: false }];
    case "ObjectPattern":
      return pattern.properties.flatMap((property) => bound(property.type === "RestElement" ? property : property.value));
    case "ArrayPattern":
      return pattern.elements.flatMap(bound);
    case "AssignmentPattern":
      return bound(pattern.left);
    case "RestElement":
      return pattern.argument.type === "Identifier" ? [{ name: pattern.argument, isRest: true }] : bound(pattern.argument);
    case "TSParameterProperty":
      return bound(pattern.parameter);
    default:
      return [];
  }
}
var boundNames = (pattern) => bound(pattern).map(({ name }) => name);
var restNames = (pattern) => bound(pattern).flatMap(({ name, isRest }) => isRest ? [name] : []);
function madeRest(name, r) {
  const number = r.places.all.length;
  const condition = r.once.localLiterals.hasRest(name, r) ? flag : `(${namesOr(number, r)})`;
  return `${condition} && __dpor.made(${name.name}, ${r.site(name.start, name.name)})`;
}
function assignmentPattern(pattern, r) {
  if (!pattern) return;
  switch (pattern.type) {
    case "ObjectPattern":
      for (const property of pattern.properties) {
        if (property.type === "RestElement") assignmentPattern(property.argument, r);
        else {
          if (property.computed) operand(property.key, r);
          if (property.shorthand) shorthandTarget(property, r);
          else assignmentPattern(property.value, r);
        }
      }
      return;
    case "ArrayPattern":
      for (const element of pattern.elements) assignmentPattern(element, r);
      return;
    case "AssignmentPattern":
      assignmentPattern(pattern.left, r);
      return assignedDefault(pattern, r);
    case "RestElement":
      return assignmentPattern(pattern.argument, r);
    default:
      return target(pattern, r);
  }
}
function shorthandTarget(property, r) {
  const name = withoutDefault(property.value);
  const binding = r.recorded(name);
  if (binding) r.replace(name.start, name.end, `${binding.name}: ${variablePlace(binding, name, r)}`);
  if (property.value.type === "AssignmentPattern") assignedDefault(property.value, r);
}
function assignedDefault(pattern, r) {
  const { left, right } = pattern;
  if (left.type === "ObjectPattern" || left.type === "ArrayPattern") return defaultOf(pattern, r);
  const isNamed = left.type === "Identifier" && r.recorded(left) && isAnonymousDefinition(right);
  const [before, after] = isNamed ? naming(left.name) : ["", ""];
  r.insert(right.start, before);
  r.visitIn(pattern, right);
  r.insert(right.end, after);
}
function target(node, r) {
  const inner = unwrap(node);
  if (inner.type === "Identifier") {
    const binding = r.recorded(inner);
    if (binding) r.replace(node.start, node.end, variablePlace(binding, inner, r));
  } else if (inner.type !== "MemberExpression") assignmentPattern(inner, r);
  else if (isSuper(inner)) superTarget(node, r);
  else if (!isPrivate(inner)) access(inner, r, { outer: node, open: "__dpor.reference(", close: `, ${memberSite(inner, r)}).value` });
  else if (isPrivateField(inner, r) && isRepeatable(inner.object, r)) {
    const { field, place, set } = privatePlace(r.text(inner.object), inner, r);
    r.replace(node.start, node.end, `__dpor.privateReference(${place}, () => ${field}, ${set}).value`);
  } else nativeChain(inner.object, r);
}

// plugin/3-rewrite/local-literals.ts
var LocalLiterals = class {
  /** Callees, by the patterns that take apart what the calls return. */
  #patterns = /* @__PURE__ */ new Map();
  /** To be shown all nodes of a file. */
  look({ type, id, init }) {
    if (type === "VariableDeclarator" && id.type === "ObjectPattern" && init?.type === "CallExpression" && init.callee.type === "Identifier") this.#patterns.set(init.callee, id);
  }
  /** Whether the literal that is being visited is one of them. */
  has(literal2, r) {
    if (r.mayEvaluate || !isPlain2(literal2)) return false;
    const keys = [];
    let value = literal2;
    for (let i = r.ancestors.lastIndexOf(literal2) - 1; i >= 0; i--) {
      const parent = r.ancestors[i];
      switch (parent.type) {
        case "Property": {
          const key = keyOf2(parent);
          if (key === void 0 || parent.value !== value) return false;
          keys.unshift(key);
          break;
        }
        case "ObjectExpression":
          break;
        case "VariableDeclarator":
          return this.#staysIn(parent.id, keys, r);
        case "AssignmentExpression":
          return keys.length === 0 && parent.left.type.endsWith("Pattern") && r.ancestors[i - 1].type === "ExpressionStatement";
        case "ArrowFunctionExpression":
          return parent.body === value && this.#isTakenApart(parent, r.ancestors[i - 1], keys, r);
        case "ReturnStatement": {
          const at = r.ancestors.findLastIndex((node, j) => j < i && ofFunctions.test(node.type));
          return at > 0 && this.#isTakenApart(r.ancestors[at], r.ancestors[at - 1], keys, r);
        }
        default:
          if (!isTransparent(parent)) return false;
      }
      value = parent;
    }
    return false;
  }
  /** The same of what a pattern leaves over, by its name. */
  hasRest(name, r) {
    return !r.mayEvaluate && this.#staysIn(name, [], r);
  }
  /** @param keys those that lead to the literal from what the target gets */
  #staysIn(target2, keys, r) {
    const [first, ...others] = keys;
    switch (target2.type) {
      case "Identifier": {
        const uses = r.analysis.usesWithin(target2);
        return uses !== void 0 && uses.every((use) => isRead(r.source.slice(use.end, use.end + longestRead), first) || first === void 0 && spread.test(r.source.slice(use.start - 4, use.end + 1)));
      }
      case "AssignmentPattern":
        return this.#staysIn(target2.left, keys, r);
      case "ArrayPattern":
        return first === void 0;
      case "ObjectPattern":
        if (first === void 0) return true;
        return target2.properties.every((property) => {
          const key = keyOf2(property);
          return key !== void 0 && (key !== first || this.#staysIn(property.value, others, r));
        });
      default:
        return false;
    }
  }
  /** Whether all calls of a function take apart what it returns. */
  #isTakenApart(fn, parent, keys, r) {
    const id = fn.type === "FunctionDeclaration" ? fn.id : parent.type === "VariableDeclarator" ? parent.id : null;
    if (fn.async || fn.generator || id?.type !== "Identifier" || r.analysis.exports.some(({ local }) => local === id.name)) return false;
    return r.analysis.uses(id).every((use) => {
      const pattern = this.#patterns.get(use);
      return pattern !== void 0 && this.#staysIn(pattern, keys, r);
    });
  }
};
var ofFunctions = /Function|MethodDefinition/;
var isPlain2 = ({ type, properties }) => type === "ArrayExpression" || type === "ObjectExpression" && properties.every((property) => property.type === "SpreadElement" || property.kind === "init" && !property.method && keyOf2(property) !== "__proto__");
var longestRead = 60;
var read = /^(?:\s*\??\.\s*([\w$]+)|\[\s*(?:\d+|[\w$]+)\s*\])(?![\w$]|\s*(?:\(|\?\.\s*\(|`|!(?!=)|\/[/*]|$))(?!<)/;
var spread = /^[^.]?\.\.\.[\w$]+[\s,)\]}]$/;
function isRead(text, key) {
  const found = read.exec(text);
  return found !== null && (key === void 0 || found[1] !== void 0 && found[1] !== key);
}

// plugin/3-rewrite/order.ts
var argumentsAreQuiet = (call, r) => call.arguments.every((argument) => isQuiet(argument, r));
function isQuiet(node, r) {
  const inner = unwrap(node);
  switch (inner.type) {
    case "Literal":
    case "ThisExpression":
      return true;
    case "Identifier":
      return r.analysis.binding(inner) !== void 0 || inner.name === "undefined" || inner.name === "arguments";
    case "TemplateLiteral":
      return inner.expressions.length === 0;
    case "UnaryExpression":
      return (inner.operator === "!" || inner.operator === "void" || inner.operator === "typeof") && isQuiet(inner.argument, r);
    case "BinaryExpression":
      return (inner.operator === "===" || inner.operator === "!==") && isQuiet(inner.left, r) && isQuiet(inner.right, r);
    case "LogicalExpression":
      return isQuiet(inner.left, r) && isQuiet(inner.right, r);
    case "ConditionalExpression":
      return isQuiet(inner.test, r) && isQuiet(inner.consequent, r) && isQuiet(inner.alternate, r);
    case "ArrayExpression":
      return inner.elements.every((element) => element === null || isQuiet(element, r));
    case "ObjectExpression":
      return inner.properties.every((property) => property.type === "Property" && !property.computed && (property.shorthand || isQuiet(property.value, r)));
    default:
      return isFunction(inner);
  }
}

// plugin/3-rewrite/once.ts
var types = /* @__PURE__ */ new Set([
  "ArrowFunctionExpression",
  "FunctionExpression",
  "ClassExpression",
  "AwaitExpression",
  "YieldExpression",
  "ImportExpression",
  "MetaProperty",
  // A line break is text there.
  "JSXElement",
  "JSXFragment"
]);
var Once = class {
  #parts = [];
  #hoisted = /* @__PURE__ */ new Set();
  leaves = new LeafFunctions();
  localLiterals = new LocalLiterals();
  /** Of private members that are read, by name. Those of async methods get the prototype of such a function when they are read. */
  #private = [];
  #asyncMethods = /* @__PURE__ */ new Set();
  #r;
  /** Whether `super` is that of an async generator, whose body is a function of its own. */
  #isApart = false;
  /** The part of an expression that is evaluated on a condition. */
  #branch;
  constructor(program, r) {
    this.#r = r;
    this.#visit(program);
    if (this.#asyncMethods.size === 0) return;
    for (const { name, position } of this.#private) if (this.#asyncMethods.has(name)) this.#parts.push({ start: position, end: position, branch: void 0 });
    this.#parts.sort((a, b) => a.start - b.start);
  }
  /** Whether a part of the source may be written twice, once what can be has been evaluated before it, if `canHoist`. */
  isNotIn({ start, end }, { canHoist }) {
    let i = firstFrom(this.#parts, start, startOf);
    for (let part = this.#parts[i]; part && part.start < end; part = this.#parts[i]) {
      if (part.end === part.start || !canHoist || part.start === start || part.branch && (part.branch.start > start || part.branch.end < end)) return false;
      i = firstFrom(this.#parts, part.end, startOf);
    }
    return true;
  }
  /** Whether it is evaluated before the expression that it is a part of. */
  isHoisted(node) {
    return this.#hoisted.has(node);
  }
  #visitor = (node) => this.#visit(node);
  #visit(node) {
    this.leaves.look(node);
    this.localLiterals.look(node);
    const count = this.#parts.length;
    if (this.#hoisted.has(node) && isLiteral2(node)) {
      forEachChild(node, this.#visitor);
      if (this.#parts.length === count) this.#hoisted.delete(node);
      else this.#parts.splice(count, 0, this.#wholeOf(node));
      return;
    }
    if (this.#hoisted.has(node)) this.#parts.push(this.#wholeOf(node));
    else if (this.#isOnce(node)) this.#addOnce(node.start);
    switch (node.type) {
      case "FunctionDeclaration":
      case "FunctionExpression":
      case "ArrowFunctionExpression":
        return this.#function(node);
      case "TaggedTemplateExpression":
        this.#visit(node.tag);
        this.#addOnce(node.quasi.start);
        return this.#visit(node.quasi);
      case "MemberExpression":
        if (isBind(node)) {
          this.#visit(node.object);
          return this.#addOnce(node.property.start);
        }
        break;
      case "CallExpression":
      case "NewExpression":
        for (const argument of node.arguments) if (isFunction(argument) || isLiteral2(argument) && isQuiet(argument, this.#r)) this.#hoisted.add(argument);
        break;
      case "LogicalExpression":
        this.#visit(node.left);
        return this.#inBranch(node.right);
      case "ConditionalExpression":
        this.#visit(node.test);
        this.#inBranch(node.consequent);
        return this.#inBranch(node.alternate);
      case "AssignmentPattern":
        this.#visit(node.left);
        return this.#inBranch(node.right);
      case "AssignmentExpression":
        this.#visit(node.left);
        return node.operator === "??=" || node.operator === "||=" || node.operator === "&&=" ? this.#inBranch(node.right) : this.#visit(node.right);
      default:
    }
    forEachChild(node, this.#visitor);
  }
  #addOnce(position) {
    this.#parts.push({ start: position, end: position, branch: void 0 });
  }
  #wholeOf({ start, end }) {
    return { start, end, branch: this.#branch };
  }
  #function(node) {
    const [isApart, branch] = [this.#isApart, this.#branch];
    if (node.type !== "ArrowFunctionExpression") this.#isApart = node.async === true && node.generator === true;
    this.#branch = void 0;
    this.leaves.function(node, () => forEachChild(node, this.#visitor));
    this.#isApart = isApart;
    this.#branch = branch;
  }
  #inBranch(node) {
    const branch = this.#branch;
    this.#branch = node;
    this.#visit(node);
    this.#branch = branch;
  }
  #isOnce(node) {
    if (this.#hasLinesOfTypes(node)) return true;
    switch (node.type) {
      case "Identifier":
        return isOfVitest(node, this.#r);
      case "PrivateIdentifier":
        this.#private.push({ name: node.name, position: node.start });
        return false;
      case "MethodDefinition":
        if (node.key.type === "PrivateIdentifier" && node.value.async) this.#asyncMethods.add(node.key.name);
        return false;
      case "Super":
        return this.#isApart;
      case "CallExpression":
        return node.callee.type === "Super" || makesFunctions(node.callee);
      case "NewExpression":
        return makesFunctions(node.callee);
      case "TemplateLiteral":
      case "Literal":
        return (node.type === "TemplateLiteral" || typeof node.value === "string") && this.#r.text(node).includes("\n");
      default:
        return types.has(node.type);
    }
  }
  /** Line breaks may be what separates the members of a type. */
  #hasLinesOfTypes({ typeArguments, typeAnnotation }) {
    const written = typeArguments ?? typeAnnotation;
    return Boolean(written) && this.#r.text(written).includes("\n");
  }
};
var isBind = ({ computed, property }) => !computed && property.name === "bind";
var isLiteral2 = (node) => node.type === "ObjectExpression" || node.type === "ArrayExpression";

// plugin/3-rewrite/made-names.ts
function madeName(node, r) {
  let value = node;
  for (let i = r.ancestors.lastIndexOf(node) - 1; i >= 0; i--) {
    const parent = r.ancestors[i];
    if (passesOn(parent, value)) value = parent;
    else return takerName(parent, value);
  }
  return void 0;
}
function passesOn(parent, value) {
  switch (parent.type) {
    case "ParenthesizedExpression":
    case "TSAsExpression":
    case "TSSatisfiesExpression":
    case "TSNonNullExpression":
    case "TSTypeAssertion":
      return true;
    case "LogicalExpression":
      return parent.right === value;
    case "ConditionalExpression":
      return parent.test !== value;
    default:
      return false;
  }
}
function takerName(parent, value) {
  switch (parent.type) {
    case "VariableDeclarator":
      return parent.init === value ? targetName(parent.id) : void 0;
    case "AssignmentExpression":
    case "AssignmentPattern":
      return parent.right === value ? targetName(parent.left) : void 0;
    case "Property":
    case "PropertyDefinition":
    case "AccessorProperty":
      return parent.value === value && !parent.computed ? keyName2(parent.key) : void 0;
    default:
      return void 0;
  }
}
function targetName(target2) {
  if (target2.type === "Identifier") return target2.name;
  return target2.type === "MemberExpression" && !target2.computed ? keyName2(target2.property) : void 0;
}
function keyName2(key) {
  if (key.type === "Identifier" || key.type === "PrivateIdentifier") return key.name;
  return typeof key.value === "string" ? key.value : void 0;
}

// plugin/3-rewrite/calls.ts
function openArguments(call, from, r) {
  const first = call.arguments[0];
  return r.find("(", from, first?.start ?? call.end) + 1;
}
function visitArguments(call, r) {
  for (const argument of call.arguments) r.visit(argument);
  const more = helperArguments(call, r);
  if (more) r.insert(call.arguments.at(-1).end, more);
}
function callText(call, callee, r) {
  const whole = r.text(call);
  return whole.length <= 60 ? whole : `${shorten(r.text(callee)).slice(0, 54)}(...)`;
}
function callSite(call, member, r) {
  return r.site(member.property.start, callText(call, call.callee, r), madeName(call, r));
}
var plainSite = (call, r) => r.site(call.start, callText(call, call.callee, r), madeName(call, r));
var afterOpening = (call, r) => openArguments(call, call.typeArguments?.end ?? call.callee.end, r);
function CallExpression(call, r) {
  const recursion2 = r.recursions.get(call);
  if (recursion2 === void 0) return anyCall(call, r);
  r.insert(call.start, recursion2);
  anyCall(call, r);
  r.insert(call.end, ")");
}
function anyCall(call, r) {
  const callee = unwrap(call.callee);
  if (isImportMeta(callee, r) || isHoistedByJest(call, r)) return;
  if (callee.type !== "MemberExpression") return makesFunctions(callee) ? makerCall(call, r) : plainCall(call, callee, r);
  if (isPrivate(callee)) return privateCall(call, callee, r);
  if (isSuper(callee)) return superCall(call, callee, r);
  if (makesMock(call, r)) r.insert(call.start, "__dpor.made(");
  if (leavesCall(callee, r)) {
    if (assertionWithArguments(call, r)) return;
    const settles = isSettledAssertion(call, r) && !isUnused(r);
    if (settles) r.insert(call.start, "__dpor.settles(");
    const look = builtInLook(callee, r, { isCalled: true });
    if (look !== void 0) r.insert(call.start, look);
    nativeChain(callee, r);
    if (isGlobal(unwrap(callee.object), converting, r)) convertedArguments(call, r);
    else vitestArguments(call, r);
    if (look !== void 0) r.insert(call.end, ")");
    if (settles) r.insert(call.end, `, ${callSite(call, callee, r)})`);
    if (makesMock(call, r)) r.insert(call.end, `, ${callSite(call, callee, r)})`);
    return;
  }
  const { open, close } = methodCall(call, r);
  r.insert(call.start, open, accessPosition(callee, r));
  r.visit(callee.object);
  accessKey(callee, r, { close: `, ${callSite(call, callee, r)}${close}, [`, parens: ")".repeat(r.count("(", call.callee.start, callee.start)), upTo: afterOpening(call, r) });
  visitArguments(call, r);
  r.insert(call.end - 1, `]${unusedArgument(r)}`);
}
function methodCall(call, r) {
  return argumentsAreQuiet(call, r) ? { open: "__dpor.call(", close: "" } : { open: "__dpor.callFound(__dpor.found(", close: ")" };
}
var converting = /* @__PURE__ */ new Set(["Math", "Number", "String", "Symbol", "BigInt"]);
function convertedArguments(call, r) {
  for (const argument of call.arguments) {
    if (argument.type === "SpreadElement") r.visit(argument);
    else operand(argument, r);
  }
}
function superCall(call, member, r) {
  r.insert(call.start, "__dpor.invoke(");
  const parens = ")".repeat(r.count("(", call.callee.start, member.start));
  superRead(member, r);
  r.replace(member.end, afterOpening(call, r), `${parens}, this, ${callSite(call, member, r)}, [`);
  visitArguments(call, r);
  r.insert(call.end - 1, `]${unusedArgument(r)}`);
}
function makesMock(call, r, makers = mockMakers) {
  let inner = call;
  for (; ; ) {
    const callee = unwrap(inner.callee);
    if (callee.type !== "MemberExpression" || callee.computed) return false;
    const object = unwrap(callee.object);
    if (object.type === "Identifier") return makers.has(callee.property.name) && isVitest(object, r);
    if (object.type !== "CallExpression") return false;
    inner = object;
  }
}
var mockMakers = /* @__PURE__ */ new Set(["fn", "spyOn"]);
var mockGivers = /* @__PURE__ */ new Set([...mockMakers, "mocked"]);
function plainCall(call, callee, r) {
  if (callee.type === "ChainExpression") nativeChain(callee, r);
  else if (callee.type !== "Super") wrapCallee(call.callee, r, { before: "__dpor.callee(", after: `, ${plainSite(call, r)}${unusedArgument(r)})`, isDirect: staysDirect(call, callee, r) });
  if (callsHelper(call)) visitArguments(call, r);
  else visitNativeArguments(call, r);
}
function makerCall(call, r) {
  r.insert(call.start, "__dpor.invoke(");
  r.visit(call.callee);
  r.replace(call.callee.end, afterOpening(call, r), `, void 0, ${plainSite(call, r)}, [`);
  visitArguments(call, r);
  r.insert(call.end - 1, "]");
}
function wrapCallee(callee, r, { before, after, isDirect, plain }) {
  if (isDirect) return r.visit(callee);
  if (callee.type !== "Identifier" || r.source[callee.end] !== "(" || r.recorded(callee)) return r.wrap(callee, before, after, plain);
  r.uses(callee);
  const live = liveRead(callee, r);
  const text = live ? `${live.before}${r.text(callee)}${live.after}` : r.text(callee);
  r.replace(callee.start, callee.end + 1, `${before}${text}${after}(`);
}
function staysDirect(call, callee, r) {
  if (r.parent.type === "Decorator" || isVitest(callee, r) && !givesMock(callee, r) || isGlobal(callee, directGlobals, r)) return true;
  if (isFunction(callee)) return !callee.generator;
  return callee.type === "Identifier" && r.analysis.binding(callee)?.isOwnFunction === true;
}
var givesMock = (callee, r) => callee.type === "CallExpression" && makesMock(callee, r, mockGivers);
var directGlobals = /* @__PURE__ */ new Set(["eval", "require"]);
function privateCall(call, callee, r) {
  const name = callee.property.name;
  if (!isPrivateField(callee, r) && call.callee === callee && isGiven(name, r.text(callee.object), r)) return givenCall(call, callee, r);
  if (!isPrivateField(callee, r) || call.callee !== callee) {
    nativeChain(callee.object, r);
    return visitArguments(call, r);
  }
  withPrivateObject(callee, call, r, (object, start) => {
    r.replace(start, afterOpening(call, r), `__dpor.invoke(${privatePlace(object, callee, r).read}, ${object}, ${callSite(call, callee, r)}, [`);
    visitArguments(call, r);
    r.insert(call.end - 1, `]${unusedArgument(r)}`);
  });
}
function givenCall(call, callee, r) {
  withPrivateObject(callee, call, r, (object, start) => {
    const key = `#${callee.property.name}`;
    const look = privateLook(object, key, r.site(callee.property.start, r.text(callee)));
    r.replace(start, afterOpening(call, r), `(${look}, ${object}.${key}).call(${object}${call.arguments.length > 0 ? ", " : ""}`);
    visitArguments(call, r);
  });
}
var errors = /* @__PURE__ */ new Set(["Error", "TypeError", "RangeError", "SyntaxError", "ReferenceError", "EvalError", "URIError"]);
var makesError = (callee) => callee.type === "Identifier" && callee.name !== "AggregateError" && /(?:Error|Exception)$/.test(callee.name);
function NewExpression(node, r) {
  const callee = node.callee;
  const hasArguments = r.source[node.end - 1] === ")" && node.end > callee.end;
  if (node.arguments.some((argument) => isImportMeta(argument, r))) return visitArguments(node, r);
  const site2 = r.site(node.start, `new ${callText(node, callee, r).replace(/^new\s+/, "")}`, madeName(node, r));
  if (makesError(callee)) {
    r.insert(node.start, "__dpor.made(");
    for (const [i, argument] of node.arguments.entries()) {
      if (i === 0 && argument.type !== "SpreadElement" && isGlobal(callee, errors, r)) operand(argument, r);
      else r.visit(argument);
    }
    r.insert(node.end, `, ${site2})`);
    return;
  }
  r.replace(node.start, node.start + 3, "__dpor.construct(");
  r.visit(callee);
  if (!hasArguments) {
    r.insert(node.end, `, ${site2}, [])`);
    return;
  }
  r.replace(callee.end, openArguments(node, node.typeArguments?.end ?? callee.end, r), `, ${site2}, [`);
  visitArguments(node, r);
  r.insert(node.end - 1, "]");
}
function TaggedTemplateExpression(node, r) {
  const tag = unwrap(node.tag);
  if (tag.type === "ChainExpression") nativeChain(tag, r);
  else if (tag.type !== "MemberExpression") {
    const around2 = ["__dpor.callee(", `, ${r.site(node.start, r.text(node.tag))})`];
    wrapCallee(node.tag, r, { before: around2[0], after: around2[1], isDirect: staysDirect(node, tag, r), plain: around2 });
  } else if (node.tag !== tag || isPrivate(tag) || leavesReads(tag, r) && !isConstant(tag, r)) nativeChain(node.tag, r);
  else access(tag, r, { open: "__dpor.method(", close: `, ${memberSite(tag, r)})` });
  r.visitOnly(node.quasi);
}
function ImportExpression(node, r) {
  const given = [node.source, ...node.options ? [node.options] : []];
  const site2 = r.site(node.start, r.text(node));
  if (given.every(isLiteral3)) {
    r.insert(node.start, "__dpor.imported([], () => ");
    return void r.insert(node.end, `, ${site2})`);
  }
  const head = r.source.slice(node.start, r.find("(", node.start, node.source.start) + 1);
  const values = r.names.fresh();
  r.replace(node.start, node.start + head.length, "__dpor.imported([");
  for (const argument of given) r.visit(argument);
  r.replace(node.end - 1, node.end, `], (${values}) => ${head}${given.map((_, i) => `${values}[${i}]`).join(", ")}), ${site2})`);
}
function isLiteral3({ type, expressions: expressions2, properties }) {
  if (type === "ObjectExpression") return properties.every((property) => property.type === "Property" && !property.computed && isLiteral3(property.value));
  return type === "Literal" || type === "TemplateLiteral" && expressions2.length === 0;
}

// plugin/3-rewrite/chains.ts
var isGuarded = ({ member, call }) => !!member?.optional || !member && !!call?.optional;
var isOptionalMethod = ({ member, call }) => !!member && !!call?.optional;
var withoutAssertion = (node) => node.type === "TSNonNullExpression" ? withoutAssertion(node.expression) : node;
function linksOf(expression) {
  const links = [];
  let node = withoutAssertion(expression);
  let base = node;
  let count = 0;
  for (; ; ) {
    const link = {};
    if (node.type === "CallExpression") {
      link.call = node;
      const callee = withoutAssertion(node.callee);
      if (callee.type === "MemberExpression" && !isPrivate(callee)) link.member = callee;
    } else if (node.type === "MemberExpression") link.member = node;
    else break;
    links.unshift(link);
    node = link.member ? link.member.object : link.call.callee;
    if (isGuarded(link) || isOptionalMethod(link)) {
      base = node;
      count = links.length;
    }
    node = withoutAssertion(node);
  }
  return { base, links: links.slice(-count) };
}
function ChainExpression(node, r) {
  emitChain(node.expression, r, { remove: false, unused: isUnused(r) });
}
function emitChain(expression, r, { remove, unused = false }) {
  const { base, links } = linksOf(expression);
  if (isUnusual(base, links, r)) {
    r.leave(expression, "this kind of optional chain");
    if (remove) r.insert(expression.start, "delete ");
    return nativeChain(expression, r);
  }
  if (isVitest(expression, r) || isImportMeta(expression, r)) {
    if (remove) r.insert(expression.start, "delete ");
    return nativeChain(expression, r);
  }
  new Chain(base, links, expression, r, { remove, unused }).emit();
}
function isUnusual(base, links, r) {
  if (base.type === "Super") return true;
  return links.some(({ member, call }, i) => {
    if (!call?.optional || member) return false;
    const callee = unwrap(call.callee);
    if (callee.type === "Super" || callee.type === "ChainExpression") return true;
    if (callee.type !== "MemberExpression") return false;
    return i > 0 || call.callee !== callee || !isPrivateField(callee, r) || !isRepeatable(callee.object, r);
  });
}
var Chain = class {
  /** Values are kept in variables: functions would capture what they use. */
  #keeps;
  #close = "";
  base;
  links;
  expression;
  r;
  remove;
  unused;
  constructor(base, links, expression, r, { remove, unused }) {
    this.base = base;
    this.links = links;
    this.expression = expression;
    this.r = r;
    this.remove = remove;
    this.unused = unused;
    this.#keeps = r.canKeep;
  }
  emit() {
    const { r, base, links, expression } = this;
    const guarded = isGuarded(links[0]);
    const names2 = guarded ? this.#newGuard() : void 0;
    r.insert(expression.start, names2 ? names2.open : this.#openers(0));
    r.visit(base);
    let subject = "";
    if (names2) {
      subject = names2.name;
      r.insert(base.end, `${names2.join}${this.#openers(0)}${subject}`);
    }
    for (let i = 0; i < links.length; i++) subject = this.#link(i, subject);
    r.insert(expression.end, this.#close);
  }
  /** The end of the part that begins with link `from`: the next link that can end the chain. */
  #end(from) {
    const next = this.links.findIndex((link, i) => i > from && isGuarded(link));
    const method = this.links.findIndex((link, i) => i >= from && isOptionalMethod(link));
    if (method !== -1 && (next === -1 || method < next)) return method + 1;
    return next === -1 ? this.links.length : next;
  }
  #guards = /* @__PURE__ */ new Map();
  #newGuard() {
    this.#close = `)${this.#close}`;
    if (this.#keeps) {
      const name2 = this.r.temporary();
      return { name: name2, open: `((${name2} = `, join: ") == null ? void 0 : " };
    }
    const name = this.r.names.fresh();
    return { name, open: "__dpor.optional(", join: `, (${name}) => ` };
  }
  #methods = /* @__PURE__ */ new Map();
  /** What stands before the object of link `from`, up to where the chain can end again. */
  #openers(from) {
    const end = this.#end(from);
    let text = "";
    const next = this.links[end];
    if (next && isGuarded(next) && !isOptionalMethod(this.links[end - 1])) {
      const guard = this.#newGuard();
      this.#guards.set(end, guard);
      text += guard.open;
    }
    for (let i = end - 1; i >= from; i--) text += this.#opener(i, from);
    return text;
  }
  #opener(i, from) {
    const link = this.links[i];
    if (!link.member) return this.#keepsThis(i) ? "" : "__dpor.callee(";
    if (isPrivate(link.member)) {
      if (this.#isCalledNext(i)) return "";
      if (!isPrivateField(link.member, this.r)) return asyncMethodRead(link.member, this.r)[0];
      return i === from && isGuarded(link) ? "__dpor.privateGet(" : "__dpor.given(";
    }
    if (!link.call) return this.remove && i === this.links.length - 1 ? "__dpor.remove(" : "__dpor.get(";
    if (!link.call.optional) return methodCall(link.call, this.r).open;
    this.#close = `)${this.#close}`;
    if (!this.#keeps) return "__dpor.callIf(";
    const found = this.r.temporary();
    this.#methods.set(i, found);
    return `((${found} = __dpor.found(`;
  }
  /** `o?.#m(a)`: the call of a private member, which stays as it is. */
  #keepsThis(i) {
    return unwrap(this.links[i].call.callee).type === "MemberExpression";
  }
  #isCalledNext(i) {
    const next = this.links[i + 1];
    return !!next?.call && !next.member;
  }
  #link(i, subject) {
    const guard = this.#guards.get(i);
    const link = this.links[i];
    const { r } = this;
    let object = subject;
    if (guard) {
      object = guard.name;
      r.insert((link.member ? link.member.object : link.call.callee).end, `${guard.join}${this.#openers(i)}${object}`);
    }
    if (!link.member) this.#plainCall(link.call, i);
    else if (isPrivate(link.member)) this.#privateMember(link.member, i, object);
    else if (!link.call) accessKey(link.member, r, { close: `, ${memberSite(link.member, r)})` });
    else if (link.call.optional) this.#optionalMethod(link.member, link.call, i);
    else {
      accessKey(link.member, r, { close: `, ${callSite(link.call, link.member, r)}${methodCall(link.call, r).close}, [`, upTo: afterOpening(link.call, r) });
      visitArguments(link.call, r);
      r.insert(link.call.end - 1, this.unused && i === this.links.length - 1 ? "], true" : "]");
    }
    return "";
  }
  #plainCall(call, i) {
    const { r } = this;
    if (!this.#keepsThis(i)) {
      const use = this.unused && i === this.links.length - 1 ? ", true" : "";
      r.replace(call.callee.end, afterOpening(call, r), `, ${plainSite(call, r)}${use})(`);
      return visitArguments(call, r);
    }
    const callee = call.callee;
    const isMethod3 = callee.type === "MemberExpression" && isPrivate(callee) && !!call.optional;
    const receiver = isMethod3 ? `.call(${r.text(callee.object)}${call.arguments.length ? ", " : ""}` : "(";
    if (call.optional || call.typeArguments) r.replace(callee.end, afterOpening(call, r), receiver);
    visitArguments(call, r);
  }
  #privateMember(member, i, object) {
    const { r } = this;
    const start = r.find(member.optional ? "?." : ".", member.object.end, member.property.start);
    if (!isPrivateField(member, r) || this.#isCalledNext(i)) {
      if (member.optional) r.replace(start, start + 2, ".");
      if (!this.#isCalledNext(i)) r.insert(member.end, asyncMethodRead(member, r)[1]);
      return;
    }
    if (object) {
      const { place, field } = privatePlace(object, member, r);
      return r.replace(start, member.end, `${place.slice(object.length)}, ${field})`);
    }
    const name = r.names.fresh();
    r.replace(start, member.end, `, (${name}) => ${privatePlace(name, member, r).read})`);
  }
  #optionalMethod(member, call, i) {
    const { r } = this;
    const isLast = i === this.links.length - 1;
    const found = this.#methods.get(i);
    const upTo = afterOpening(call, r);
    if (found) {
      const rest = isLast ? "" : this.#afterMethod(i + 1);
      accessKey(member, r, { close: `, ${callSite(call, member, r)})).fn == null ? void 0 : ${rest}__dpor.callFound(${found}, [`, upTo });
      visitArguments(call, r);
      return r.replace(call.end - 1, call.end, isLast && this.unused ? "], true)" : "])");
    }
    accessKey(member, r, { close: `, ${callSite(call, member, r)}, () => [`, upTo });
    visitArguments(call, r);
    if (isLast) return r.replace(call.end - 1, call.end, this.unused ? "], void 0, true" : "]");
    const name = r.names.fresh();
    r.replace(call.end - 1, call.end, `], (${name}) => ${this.#afterMethod(i + 1)}${name}`);
  }
  /** What stands before the result of a method that is called if it exists, when the chain goes on. */
  #afterMethod(i) {
    if (!isGuarded(this.links[i])) return this.#openers(i);
    const guard = this.#newGuard();
    this.#guards.set(i, guard);
    return guard.open;
  }
};

// plugin/3-rewrite/assignments.ts
var isIncrease = (operator) => operator === "+=" || operator === "-=";
var signOf = (operator) => operator === "+=" ? "1" : "-1";
var isLogical = (operator) => operator === "??=" || operator === "||=" || operator === "&&=";
function AssignmentExpression(node, r) {
  const target2 = unwrap(node.left);
  const operator = r.find(node.operator, node.left.end, node.right.start);
  const after = operator + node.operator.length;
  switch (target2.type) {
    case "Identifier":
      return assignVariable(node, target2, { operator, after }, r);
    case "MemberExpression":
      if (isPrivate(target2)) return assignPrivate(node, target2, { operator, after }, r);
      if (isSuper(target2)) return superAssignment(node, target2, after, r);
      return assignMember(node, target2, after, r);
    default:
      assignmentPattern(target2, r);
      return destructured(target2, node.right, r, { used: r.parent.type !== "ExpressionStatement" });
  }
}
function assignMember(node, target2, upTo, r) {
  const operator = node.operator;
  const site2 = memberSite(target2, r);
  const right = node.right;
  const outer = { start: node.start, end: node.left.end };
  if (operator === "=") {
    access(target2, r, { outer, upTo, open: "__dpor.set(", close: "," });
    r.visit(right);
    r.insert(right.end, `, ${site2})`);
  } else if (isIncrease(operator) && isUnused(r) && !r.analysis.suspends(right)) {
    access(target2, r, { outer, upTo, open: "__dpor.increased(__dpor.increasing(", close: `, ${site2}, ${signOf(operator)}), (` });
    operand(right, r);
    r.insert(right.end, "))");
  } else if (r.canKeep) {
    assignFound(node, target2, upTo, r);
  } else if (isLogical(operator)) {
    access(target2, r, { outer, upTo, open: "__dpor.assignIf(", close: `, ${site2}, '${operator.slice(0, -1)}', () =>` });
    r.visit(right);
    r.insert(right.end, ")");
  } else {
    const old = r.names.fresh();
    access(target2, r, { outer, upTo, open: "__dpor.update(", close: `, ${site2}, (${old}) => ${old} ${operator.slice(0, -1)} (` });
    operand(right, r);
    r.insert(right.end, "))");
  }
}
function assignFound(node, target2, upTo, r) {
  const operator = node.operator.slice(0, -1);
  const site2 = memberSite(target2, r);
  const found = r.temporary();
  const reading = `${found} = __dpor.reading(`;
  if (isLogical(node.operator)) {
    access(target2, r, { outer: { start: node.start, end: node.left.end }, upTo, open: `((${reading}`, close: `, ${site2})).old ${operator} __dpor.assigned(${found},` });
    r.visit(node.right);
    return void r.insert(node.right.end, "))");
  }
  access(target2, r, { outer: { start: node.start, end: node.left.end }, upTo, open: `__dpor.assigned(${reading}`, close: `, ${site2}), __dpor.coerced(${found}.old, ${site2}) ${operator} (` });
  operand(node.right, r);
  r.insert(node.right.end, "))");
}
function assignLocal(node, target2, r) {
  if (node.operator === "=" && target2 === node.left && isMadeInside(node.right, r)) {
    r.insert(node.start, "(");
    r.visit(node.right);
    return void r.insert(node.end, `, __dporOn ? __dpor.closure(${target2.name}) : ${target2.name})`);
  }
  if (!isCoercing(node.operator.slice(0, -1))) return r.visit(node.right);
  if (!isPrimitive2(target2, r) && target2 === node.left) {
    const name = target2.name;
    r.insert(node.start, `(typeof ${name} === 'object' && __dpor.coerced(${name}, ${r.site(target2.start, name)}), `);
    operand(node.right, r);
    r.insert(node.end, ")");
  } else operand(node.right, r);
}
function assignVariable(node, target2, { operator, after }, r) {
  const binding = r.recorded(target2);
  const right = node.right;
  if (!binding) return assignLocal(node, target2, r);
  const symbol = node.operator.slice(0, -1);
  const [before, end] = writeVariable(binding, target2, symbol && !isLogical(node.operator) ? void 0 : right, r);
  if (!symbol) {
    r.insert(right.start, before);
    r.visit(right);
    r.insert(right.end, end);
  } else if (isLogical(node.operator)) {
    r.insert(node.start, `(${readVariable(binding, target2, r)} ${symbol} (`);
    r.replace(operator, after, `= ${before}`);
    r.visit(right);
    r.insert(right.end, `${end}))`);
  } else if (isIncrease(node.operator) && isUnused(r) && !r.analysis.suspends(right)) {
    const [opening, closing] = increaseVariable(binding, target2, signOf(node.operator), r);
    r.replace(operator, after, `= ${opening}(`);
    operand(right, r);
    r.insert(right.end, `)${closing}`);
  } else {
    r.replace(operator, after, `= ${before}__dpor.coerced(${readVariable(binding, target2, r)}, ${r.site(target2.start, binding.name)}) ${symbol} (`);
    operand(right, r);
    r.insert(right.end, `)${end}`);
  }
}
var isWrapped = (node, target2, r) => r.count("(", node.start, target2.start) > 0 || unwrap(node.left ?? node.argument) !== (node.left ?? node.argument);
function assignPrivate(node, target2, { after }, r) {
  const right = node.right;
  if (!isPrivateField(target2, r) || isWrapped(node, target2, r)) {
    nativeChain(target2.object, r);
    return r.visit(right);
  }
  withPrivateObject(target2, node, r, (object, start) => {
    const { field, place, read: read2, find, restore: restore2 } = privatePlace(object, target2, r);
    const symbol = node.operator.slice(0, -1);
    const write2 = `${field} = __dpor.privateSet(${place}, ${find}, `;
    if (!symbol) {
      r.replace(start, after, write2);
      r.visit(right);
      r.insert(right.end, `, ${restore2})`);
    } else if (isLogical(node.operator)) {
      r.replace(start, after, `(${read2} ${symbol} (${write2}`);
      r.visit(right);
      r.insert(right.end, `, ${restore2})))`);
    } else if (isIncrease(node.operator) && isUnused(r) && !r.analysis.suspends(right)) {
      r.replace(start, after, `${field} = __dpor.privateIncreases(${place}, ${field}, ${signOf(node.operator)}, (`);
      operand(right, r);
      r.insert(right.end, `), ${restore2})`);
    } else {
      r.replace(start, after, `${write2}__dpor.coerced(${read2}, ${r.site(target2.start, r.text(target2))}) ${symbol} (`);
      operand(right, r);
      r.insert(right.end, `), ${restore2})`);
    }
  });
}
function UpdateExpression(node, r) {
  const target2 = unwrap(node.argument);
  if (target2.type === "Identifier") {
    const binding = r.recorded(target2);
    if (binding) incrementVariable(binding, node, r);
    return;
  }
  if (target2.type !== "MemberExpression") return;
  if (isSuper(target2)) return superUpdate(node, target2, r);
  if (isPrivate(target2)) return updatePrivate(node, target2, r);
  const by = node.operator === "++" ? 1 : -1;
  const close = `, ${memberSite(target2, r)}, ${by}, ${node.prefix}${unusedArgument(r)})`;
  if (node.prefix) r.replace(node.start, node.start + 2, "__dpor.increment(");
  access(target2, r, { outer: node.prefix ? { start: node.start + 2, end: node.end } : node, upTo: node.end, open: node.prefix ? "" : "__dpor.increment(", close });
}
function updatePrivate(node, target2, r) {
  if (!isPrivateField(target2, r) || isWrapped(node, target2, r)) return nativeChain(target2.object, r);
  const by = node.operator === "++" ? 1 : -1;
  const emit = (object, start) => {
    const { field, place, restore: restore2 } = privatePlace(object, target2, r);
    const update = node.prefix ? `${node.operator}${field}` : `${field}${node.operator}`;
    r.replace(start, node.end, `(__dpor.privateIncrements(${place}, ${field}, ${by}, ${restore2}${unusedArgument(r)}), ${update})`);
  };
  if (node.prefix && !isRepeatable(target2.object, r)) r.replace(node.start, node.start + 2, "");
  withPrivateObject(target2, node, r, emit);
}
function UnaryExpression(node, r) {
  if (node.operator === "+" || node.operator === "-" || node.operator === "~") return operand(node.argument, r);
  if (node.operator === "typeof" && node.argument.type === "Identifier" && isSharedGlobal(node.argument, r)) {
    r.insert(node.start, `(__dpor.has(${quote(node.argument.name)}, globalThis, ${r.site(node.argument.start, node.argument.name)}), `);
    return void r.insert(node.end, ")");
  }
  if (node.operator === "typeof" && node.argument.type === "Identifier" && isReplaceableGlobal(node.argument, r)) {
    r.insert(node.start, `(${looksAtReplaced(node.argument, r)}, `);
    return void r.insert(node.end, ")");
  }
  if (node.operator !== "delete") return r.children(node);
  const target2 = unwrap(node.argument);
  if (target2.type === "ChainExpression") {
    r.replace(node.start, node.start + "delete".length, "(");
    emitChain(target2.expression, r, { remove: true });
    r.insert(node.end, " ?? true)");
  } else if (target2.type === "MemberExpression" && target2.object.type !== "Super" && !isPrivate(target2)) {
    r.replace(node.start, node.start + "delete".length, "__dpor.remove(");
    access(target2, r, { outer: node.argument, open: "", close: `, ${memberSite(target2, r)})` });
  } else if (target2.type === "MemberExpression" && target2.object.type === "Super") nativeChain(target2, r);
  else r.children(node);
}
var callsFor = { in: "has", instanceof: "instanceOf" };
function BinaryExpression(node, r) {
  const call = callsFor[node.operator];
  if (!call) return operands(node, r);
  if (node.left.type === "PrivateIdentifier") return privateIn(node, r);
  const operator = r.find(node.operator, node.left.end, node.right.start);
  r.insert(node.start, `__dpor.${call}(`);
  r.visit(node.left);
  r.replace(operator, operator + node.operator.length, ",");
  r.visit(node.right);
  r.insert(node.right.end, `, ${r.site(node.start, r.text(node))})`);
}

// plugin/3-rewrite/parameters.ts
var withoutDefault2 = (parameter) => {
  const inner = parameter.type === "TSParameterProperty" ? parameter.parameter : parameter;
  return inner.type === "AssignmentPattern" ? inner.left : inner;
};
var isPattern = (node) => node.type === "ObjectPattern" || node.type === "ArrayPattern";
var isThis = (parameter) => parameter.type === "Identifier" && parameter.name === "this";
var withoutThis = (node) => node.params.filter((parameter) => !isThis(parameter));
var isPlain3 = (node) => node.params.every((parameter) => parameter.type === "Identifier");
var hasPatterns = (node) => node.params.some((parameter) => isPattern(withoutDefault2(parameter)) || isRestPattern(parameter));
var isRestPattern = (parameter) => parameter.type === "RestElement" && isPattern(parameter.argument);
var testMethods = /* @__PURE__ */ new Set([
  "only",
  "skip",
  "todo",
  "fails",
  "concurrent",
  "sequential",
  "shuffle",
  "extend",
  "override",
  "scoped",
  "each",
  "for",
  "describe",
  "beforeEach",
  "afterEach",
  "beforeAll",
  "afterAll",
  "aroundEach",
  "aroundAll",
  "test",
  "it",
  "bench"
]);
function fixturesStayVisible(node, r) {
  if (!node.params.some((parameter) => parameter.type === "ObjectPattern")) return false;
  const { parent } = r;
  if (parent.type === "CallExpression") return mayBeTestCall(parent, node) && !mayBeOther(parent, node, r);
  if (isGivenToExtend(r)) return true;
  return node.type !== "ArrowFunctionExpression" && isFixture(node);
}
function isGivenToExtend({ parent, ancestors }) {
  if (parent.type !== "Property" && parent.type !== "ArrayExpression") return false;
  const call = ancestors.findLast((ancestor) => ancestor.type === "CallExpression");
  return !!call && call.callee.type === "MemberExpression" && ["extend", "override", "scoped"].includes(call.callee.property.name);
}
function isFixture({ type, async, params }) {
  const [used, given, ...others] = params;
  if (used?.type !== "ObjectPattern" || !given || others.length > 0) return false;
  if (given.type === "ObjectPattern") return given.properties.some((property) => property.type === "Property" && property.key.name === "onCleanup");
  return given.type === "Identifier" && (given.name === "use" || async === true && type === "ArrowFunctionExpression");
}
var hook = /^(?:before|after|around)(?:Each|All)$/;
function mayBeTestCall(call, given) {
  const callee = call.callee;
  const first = call.arguments[0];
  const name = callee.type === "Identifier" ? callee.name : callee.type === "MemberExpression" && !callee.computed ? callee.property.name : "";
  if (first === given || isFunction(first)) return hook.test(name);
  return callee.type !== "MemberExpression" || callee.computed || testMethods.has(name);
}
var mayBeOther = (call, given, r) => given.type === "ArrowFunctionExpression" && !isVitest(call.callee, r);
function shownText(node, r) {
  const { parent } = r;
  if (!node.params.some(({ type }) => type === "ObjectPattern")) return void 0;
  const mayBeGiven = parent.type === "CallExpression" && mayBeTestCall(parent, node) && mayBeOther(parent, node, r);
  if (!mayBeGiven && (!isFixture(node) || fixturesStayVisible(node, r))) return void 0;
  return quote(`(${node.params.map((parameter) => untyped(parameter, r)).join(", ")}) => {}`);
}
function untyped(parameter, r) {
  const { start, end, typeAnnotation } = withoutDefault2(parameter);
  return r.text({ start, end: typeAnnotation?.start ?? end });
}
function readsOf(parameter, r) {
  const pattern = withoutDefault2(parameter);
  if (pattern.type === "ObjectPattern") return pattern.properties.length === 0 ? void 0 : shapeOf(pattern, "", r);
  if (pattern.type !== "ArrayPattern") return void 0;
  const entries = pattern.elements.map((element, i) => {
    if (!element || element.type === "RestElement") return "null";
    const nested = shapeOf(withoutDefault2(element), "", r);
    return `['${i}', ${r.site(element.start, r.text(element))}${nested ? `, ${nested}` : ""}]`;
  });
  return `[${entries.join(", ")}]`;
}
function readsOfRest(parameter, r) {
  if (parameter.type !== "RestElement" || parameter.argument.type !== "ArrayPattern") return [];
  return parameter.argument.elements.map((element) => element && element.type !== "RestElement" ? shapeOf(withoutDefault2(element), "", r) : void 0);
}
function takenArguments(parameters, r) {
  return parameters.map((parameter) => {
    const pattern = withoutDefault2(parameter);
    return isPattern(pattern) ? taken(pattern, pattern.start, "", r) : ["", ""];
  });
}
function canTakeApart(node, r) {
  const names2 = node.params.flatMap(boundNames);
  const scope = r.analysis.scope(node);
  return node.params.every((parameter) => !parameter.optional && (parameter.type === "Identifier" || isPattern(parameter)) && !containsFunction(parameter)) && !node.params.some(isThis) && names2.every(({ name }) => scope?.variables.get(name)?.definitions.length === 1);
}
function containsFunction(node) {
  return isFunction(node) || node.type === "ClassExpression" || someChild(node, containsFunction);
}
function takenArgument(parameter, name, r) {
  const [before, after] = isPattern(parameter) ? taken(parameter, parameter.start, "", r) : ["", ""];
  if (!before) return name;
  const first = parameter.type === "ObjectPattern" ? parameter.properties[0] : void 0;
  const key = first && keyOf2(first);
  return `(__dporOn ? ${before}${name}${after} : ${name})${key === void 0 ? "" : ` ?? __dpor.taken(${name}, ${quote(key)})`}`;
}
function parametersOutside(node, r) {
  const parameters = withoutThis(node);
  const open = r.find("(", node.typeParameters?.end ?? node.id?.end ?? node.start, node.body.start);
  const outer = [];
  const inner = [];
  const reads = takenArguments(parameters, r);
  let counts = true;
  for (const [i, parameter] of parameters.entries()) {
    const name = r.names.fresh();
    if (parameter.type === "RestElement") {
      outer.push(`...${name}`);
      const shape = isRestPattern(parameter) ? shapeOf(parameter.argument, "", r) : void 0;
      inner.push(shape ? `...__dpor.pattern(__dpor.made(${name}, ${r.site(parameter.start, r.text(parameter))}), ${shape})` : `...${name}`);
      continue;
    }
    counts &&= parameter.type !== "AssignmentPattern";
    outer.push(counts ? name : `${name} = void 0`);
    const [before, after] = reads[i];
    inner.push(before ? `(__dporOn ? ${before}${name}${after} : ${name})` : name);
  }
  const self = node.params[0];
  if (isThis(self)) r.replace(self.start, parameters[0]?.start ?? self.end, "");
  return { outer: outer.join(", "), inner: inner.join(", "), first: open + 1, afterLast: r.find(")", node.params.at(-1).end, node.body.end) + 1 };
}

// plugin/3-rewrite/recursion.ts
function recursion(node, r) {
  if (!node.async || node.generator || r.mayEvaluate || !r.analysis.suspends(node.body) || usesArguments(node, r)) return [];
  const calls = lastCalls(node).filter((call) => callsItself(call, node, r));
  if (calls.length === 0) return [];
  const site2 = r.site(node.start, functionName(node, r));
  for (const call of calls) r.recursions.set(call, `(__dpor.recurs(${[site2, ...methodOf(call)].join(", ")}), `);
  const carried = [...node.params.flatMap(boundNames).map(({ name }) => name), ...calls.some(isMethodCall) ? ["this"] : []];
  return [`__dporOn && __dpor.again(${[site2, ...carried].join(", ")})`];
}
var usesArguments = (node, r) => (r.analysis.scope(node)?.variables.get("arguments")?.references.length ?? 0) > 0;
function lastCalls({ body }) {
  const found = [];
  const inExpression = (node, isCaught) => {
    const value = unwrap(node);
    if (value.type === "ConditionalExpression") for (const branch of [value.consequent, value.alternate]) inExpression(branch, isCaught);
    else if (value.type === "LogicalExpression") inExpression(value.right, isCaught);
    else if (value.type === "SequenceExpression") inExpression(value.expressions.at(-1), isCaught);
    else if (value.type === "AwaitExpression" && !isCaught) inExpression(value.argument, isCaught);
    else if (value.type === "CallExpression") found.push(value);
  };
  const inStatement = (node, isCaught) => {
    if (node.type === "ReturnStatement" && node.argument) inExpression(node.argument, isCaught);
    else if (node.type === "TryStatement") {
      if (node.finalizer) return;
      inStatement(node.block, true);
      inStatement(node.handler.body, isCaught);
    } else if (node.type.endsWith("Statement") || node.type === "SwitchCase") {
      if (node.type !== "ForOfStatement") forEachChild(node, (child) => inStatement(child, isCaught));
    }
  };
  if (body.type === "BlockStatement") inStatement(body, false);
  else inExpression(body, false);
  return found;
}
var isMethodCall = ({ callee }) => unwrap(callee).type === "MemberExpression";
function callsItself({ callee, optional, arguments: given }, node, r) {
  const called = unwrap(callee);
  if (optional || given.some(mayCall)) return false;
  if (called.type === "Identifier") {
    const name2 = node.id ?? (r.parent.type === "VariableDeclarator" && r.parent.init === node ? r.parent.id : void 0);
    return name2 !== void 0 && r.analysis.isOnly(name2, called);
  }
  if (called.type !== "MemberExpression" || called.computed || called.object.type !== "ThisExpression" || node.type === "ArrowFunctionExpression") return false;
  const name = called.property.type === "PrivateIdentifier" ? `#${called.property.name}` : called.property.name;
  return r.parent.value === node && (r.parent.type === "MethodDefinition" || r.parent.type === "Property") && functionName(node, r) === name;
}
function mayCall(node) {
  if (isFunction(node)) return false;
  let calls = /^(?:Call|New|TaggedTemplate|Await|Yield)/.test(node.type);
  forEachChild(node, (child) => calls ||= mayCall(child));
  return calls;
}
function methodOf({ callee }) {
  const called = unwrap(callee);
  return called.type === "MemberExpression" && called.property.type !== "PrivateIdentifier" ? ["this", `'${called.property.name}'`] : [];
}

// plugin/3-rewrite/disposal.ts
function awaitUsing(node, r) {
  const declarators = node.declarations;
  if (r.parent.type === "ForStatement") {
    r.leave(node, "`await using` in the head of a `for`");
    return r.children(node);
  }
  r.replace(node.start, declarators[0].start, "const ");
  for (const [i, declarator] of declarators.entries()) {
    r.visit(declarator);
    const next = declarators[i + 1];
    if (next) r.replace(declarator.end, next.start, `; ${disposedAtEnd(declarator, r)}; const `);
    else r.insert(declarator.end, `; ${disposedAtEnd(declarator, r)}`);
  }
}
function disposedAtEnd(declarator, r) {
  const { name } = declarator.id;
  return `await using ${r.names.fresh()} = __dporOn ? __dpor.disposedAsync(${name}, ${r.site(declarator.start, `await using ${r.text(declarator)}`)}) : ${name}`;
}

// plugin/3-rewrite/loops.ts
function WhileStatement(node, r) {
  const again = againAt(node, r);
  if (!again) return r.children(node);
  if (node.type === "DoWhileStatement") r.visit(node.body);
  r.wrap(node.test, `${again} && (`, ")");
  if (node.type === "WhileStatement") r.visit(node.body);
}
function forTest(node, r) {
  const again = againAt(node, r);
  if (!again) return r.visit(node.test);
  if (node.test) return r.wrap(node.test, `${again} && (`, ")");
  const from = node.init ? node.init.end : r.find("(", node.start, node.body.start);
  const first = r.source[from - 1] === ";" ? from : r.find(";", from, node.body.start) + 1;
  r.insert(first, again);
}
function iterates(node, r) {
  return isTold(node, r) ? `__dpor.again(${r.site(node.start, headOf(node, r))}, {});` : "";
}
function isTold(node, r) {
  const owner = r.ancestors.findLast(isFunction);
  return owner?.async === true && !owner.generator && r.analysis.suspends(node) && !r.mayEvaluate;
}
function containsLoops(node, r) {
  if (isFunction(node)) return false;
  return isLoop(node) && r.analysis.suspends(node) || someChild(node, (child) => containsLoops(child, r));
}
var isLoop = ({ type }) => /^(?:For|While|DoWhile)/.test(type) && type.endsWith("Statement");
function headOf(node, r) {
  return node.type === "DoWhileStatement" ? `while (${r.text(node.test)})` : r.source.slice(node.start, node.body.start).trimEnd();
}
function againAt(node, r) {
  if (!isTold(node, r) || r.analysis.isCounted(node) && !containsLoops(node.body, r)) return void 0;
  const carried = r.analysis.carried(node) ?? ["{}"];
  return `__dpor.again(${[r.site(node.start, headOf(node, r)), ...carried].join(", ")})`;
}

// plugin/3-rewrite/extended-tests.ts
function isTestFunction(node, r) {
  const name = vitestName(node, r);
  if (name !== void 0) return name === "test" || name === "it";
  const value = node.type === "Identifier" ? r.analysis.binding(node)?.value : void 0;
  return value !== void 0 && isExtension(unwrap(value), r);
}
function isExtension({ type, callee, arguments: args }, r) {
  if (type !== "CallExpression" || callee.type !== "MemberExpression" || callee.computed || callee.property.name !== "extend" || args.length !== 1) return false;
  const fixtures = unwrap(args[0]);
  return fixtures.type === "ObjectExpression" && isTestFunction(unwrap(callee.object), r) && fixtures.properties.every((property) => property.type === "Property" && isAtOnce(unwrap(property.value)));
}
function isAtOnce(fixture) {
  if (fixture.type === "ArrayExpression") return fixture.elements.length > 0 && fixture.elements[0] !== null && isAtOnce(unwrap(fixture.elements[0]));
  return isFunction(fixture) ? waitsForUseOnly(fixture) : fixture.type === "Literal" || fixture.type === "TemplateLiteral" || fixture.type === "ObjectExpression";
}
function waitsForUseOnly({ params, body, generator }) {
  const use = params[1];
  if (generator || use?.type !== "Identifier") return false;
  const isUse = (node) => node.type === "CallExpression" && unwrap(node.callee).type === "Identifier" && unwrap(node.callee).name === use.name;
  const waits2 = (node) => {
    if (isFunction(node)) return mentions(node);
    if (node.type === "Identifier") return node.name === use.name;
    if (isUse(node)) return node.arguments.some(waits2);
    if (node.type === "AwaitExpression") return !isUse(unwrap(node.argument)) || waits2(unwrap(node.argument));
    return node.await === true || someChild(node, waits2);
  };
  const mentions = (node) => node.type === "Identifier" ? node.name === use.name : someChild(node, mentions);
  return !waits2(body);
}

// plugin/3-rewrite/test-definitions.ts
var definesOthers = /^(?:describe|suite|extend|override|scoped|(?:before|after|around)(?:Each|All))$/;
var atOnce = /* @__PURE__ */ new Set([
  "toBe",
  "toBeCloseTo",
  "toBeDefined",
  "toBeFalsy",
  "toBeGreaterThan",
  "toBeGreaterThanOrEqual",
  "toBeInstanceOf",
  "toBeLessThan",
  "toBeLessThanOrEqual",
  "toBeNaN",
  "toBeNull",
  "toBeTruthy",
  "toBeTypeOf",
  "toBeUndefined",
  "toContain",
  "toContainEqual",
  "toEqual",
  "toHaveBeenCalled",
  "toHaveBeenCalledTimes",
  "toHaveBeenCalledWith",
  "toHaveLength",
  "toHaveProperty",
  "toMatch",
  "toMatchInlineSnapshot",
  "toMatchObject",
  "toMatchSnapshot",
  "toStrictEqual",
  "toThrow",
  "toThrowError"
]);
function definesTestsOverAtOnce(statement, r) {
  const call = unwrap(statement.expression);
  if (call.type !== "CallExpression" || !isCallOfTest(call, r)) return false;
  const [body, ...others] = call.arguments.map(unwrap).filter(isFunction);
  return body !== void 0 && others.length === 0 && isOverAtOnce(body, r);
}
function isCallOfTest(call, r) {
  let callee = unwrap(call.callee);
  for (; ; ) {
    if (callee.type === "MemberExpression" && !callee.computed && !definesOthers.test(callee.property.name)) callee = unwrap(callee.object);
    else if (callee.type === "CallExpression") callee = unwrap(callee.callee);
    else if (callee.type === "TaggedTemplateExpression") callee = unwrap(callee.tag);
    else break;
  }
  return isTestFunction(callee, r);
}
function isOverAtOnce({ generator, body }, r) {
  if (generator || waits(body)) return false;
  return body.type === "BlockStatement" || atOnce.has(assertedBy(body, r) ?? "");
}
function waits(node) {
  if (node.type === "ReturnStatement") return node.argument !== null;
  if (node.type === "AwaitExpression" || node.await === true || node.kind === "await using") return true;
  return !isFunction(node) && someChild(node, waits);
}

// plugin/3-rewrite/statements.ts
function statements(list, r) {
  list.forEach((statement, i) => {
    if (statement.type !== "ExpressionStatement") return r.visit(statement);
    const separator = r.insert(statement.start, "");
    const mark2 = r.edits.mark;
    r.visit(statement);
    const first = r.edits.firstCharacter(statement.start, mark2);
    if (continues.includes(first) && (first !== r.source[statement.start] || isOpen(list[i - 1], r))) separator.text = ";";
  });
}
function ExpressionStatement(node, r) {
  const isDefinition = definesTestsOverAtOnce(node, r);
  if (isDefinition) r.insert(node.start, "__dpor.defined(__dpor.defining(), ");
  r.children(node);
  if (isDefinition) r.insert(node.expression.end, ")");
}
function BlockStatement(node, r) {
  r.insert(node.start + 1, r.scopeDeclaration(node));
  statements(node.body, r);
}
function StaticBlock(node, r) {
  r.insert(r.find("{", node.start, node.end) + 1, r.scopeDeclaration(node));
  r.withoutTemporaries(() => statements(node.body, r));
}
function SwitchStatement(node, r) {
  const declaration = r.scopeDeclaration(node);
  if (declaration) r.insert(node.start, `{${declaration}`);
  r.visit(node.discriminant);
  for (const clause of node.cases) {
    r.visit(clause.test);
    statements(clause.consequent, r);
  }
  if (declaration) r.insert(node.end, "}");
}
function CatchClause(node, r) {
  const param = node.param;
  if (param && param.type !== "Identifier") {
    const name = r.names.fresh();
    const [before, after] = taken(param, param.start, "", r);
    r.insert(param.start, `${name}) { ${r.scopeDeclaration(node)}let `);
    declarationPattern(param, r);
    const rests = restNames(param).map((rest) => `, ${r.names.fresh()} = ${madeRest(rest, r)}`);
    const isApart = mayCapture(param);
    r.replace(param.end, node.body.start + 1, ` = ${before ? `__dporOn ? ${before}${name}${after} : ${name}` : name}${rests.join("")};${isApart ? "{" : ""}`);
    if (isApart) r.insert(node.body.end, "}");
  } else {
    const name = param?.name ?? r.names.fresh();
    if (!param) r.insert(node.body.start, `(${name}) `);
    r.insert(node.body.start + 1, `${r.scopeDeclaration(node)}if (__dporOn) __dpor.caught(${name});`);
  }
  r.visit(node.body);
}
function mayCapture(node) {
  return isFunction(node) || someChild(node, mayCapture);
}
function VariableDeclaration(node, r) {
  if (node.declare) return;
  if (node.kind === "await using") awaitUsing(node, r);
  else r.children(node);
}
function VariableDeclarator(node, r) {
  const id = node.id;
  const init = node.init;
  declarationPattern(id, r);
  if (!init) return;
  if (id.type !== "Identifier") {
    destructured(id, init, r);
    if (r.ancestors.at(-3)?.type === "ExportNamedDeclaration") return;
    for (const name of restNames(id)) r.insert(node.end, `, ${r.names.fresh()} = ${madeRest(name, r)}`);
    return;
  }
  const binding = isHoisted(init, r) ? void 0 : r.recorded(id);
  const pair = binding || isHoisted(init, r) ? void 0 : indexedPairName(node, r);
  const [before, after] = binding ? writeVariable(binding, id, init, r) : pair === void 0 ? ["", ""] : ["__dpor.pair(", `, ${r.site(init.start, r.text(init), pair)})`];
  r.wrap(init, before, after);
  nameDeclared(node, r);
}
function ForStatement(node, r) {
  const scope = r.analysis.scope(node);
  if (!scope || !r.analysis.hasRecorded(scope) || node.init?.type !== "VariableDeclaration") {
    r.visit(node.init);
    forTest(node, r);
    r.visit(node.update);
    return r.visit(node.body);
  }
  const identity = r.newScope(scope);
  r.insert(node.init.start + "let".length, ` ${identity},`);
  r.visit(node.init);
  forTest(node, r);
  if (node.update) {
    r.insert(node.update.start, `${identity}, `);
    r.visit(node.update);
  } else {
    const first = r.find(";", node.init.end, node.body.start);
    r.insert(node.test ? r.find(";", node.test.end, node.body.start) + 1 : r.find(";", first + 1, node.body.start) + 1, identity);
  }
  r.visit(node.body);
}
function ForInStatement(node, r) {
  forHead(node, r);
  const sequence = node.right.type === "SequenceExpression";
  r.wrap(node.right, `__dpor.enumerate(${sequence ? "(" : ""}`, `${sequence ? ")" : ""}, ${r.site(node.right.start, r.text(node.right))}, true)`);
  forBody(node, r);
}
function ForOfStatement(node, r) {
  forHead(node, r);
  const pattern = node.left.type === "VariableDeclaration" ? node.left.declarations[0].id : node.left;
  const shape = shapeOf(pattern, "", r);
  const site2 = r.site(node.right.start, r.text(node.right));
  r.wrap(node.right, node.await ? "__dpor.iterateAsync(" : "__dpor.iterate(", shape ? `, ${site2}, { site: ${site2}, each: ${shape} })` : `, ${site2})`, [node.await ? "__dpor.asyncIterable(" : "__dpor.iterable(", `, ${site2})`]);
  forBody(node, r);
}
function forHead(node, r) {
  const left = node.left;
  if (left.type === "VariableDeclaration") {
    if (left.kind === "await using") r.replace(left.start, left.declarations[0].start, "const ");
    declarationPattern(left.declarations[0].id, r);
  } else if (left.type === "ObjectPattern" || left.type === "ArrayPattern") assignmentPattern(left, r);
  else target(left, r);
}
function forBody(node, r) {
  const names2 = node.left.type === "VariableDeclaration" ? restNames(node.left.declarations[0].id) : [];
  const disposed = node.left.kind === "await using" ? `${disposedAtEnd(node.left.declarations[0], r)};` : "";
  const declaration = iterates(node, r) + r.scopeDeclaration(node) + names2.map((name) => `${madeRest(name, r)};`).join("") + disposed;
  const body = node.body;
  if (!declaration) return r.visit(body);
  if (body.type === "BlockStatement") {
    r.insert(body.start + 1, declaration);
    return r.visit(body);
  }
  r.insert(body.start, `{${declaration}`);
  r.visit(body);
  r.insert(body.end, "}");
}
function AwaitExpression(node, r) {
  if (isHoisted(node, r)) return r.visit(node.argument);
  r.wrap(node.argument, "__dpor.suspend(", `, ${r.site(node.start, r.text(node))})`);
}
function LabeledStatement(node, r) {
  r.visit(node.body);
}
function ExportNamedDeclaration(node, r) {
  r.visit(node.declaration);
}
function TSModuleDeclaration(node, r) {
  if (node.declare || node.body?.type !== "TSModuleBlock") return;
  r.insert(node.body.start + 1, r.scopeDeclaration(node.body));
  statements(node.body.body, r);
}
function WithStatement() {
  throw new Error("it has a `with` statement");
}
function nothing() {
}

// plugin/3-rewrite/functions.ts
function FunctionDeclaration(node, r) {
  if (node.async && node.body) asyncDeclaration(node, r, () => Function2(node, r));
  else Function2(node, r);
  if (node.id && node.body) nameDeclaredFunction(node, r);
}
function Function2(node, r) {
  if (!node.body) return;
  const shown = shownText(node, r);
  if (shown !== void 0) r.insert(node.start, "__dpor.showing(");
  const { calls } = r.edits;
  rewriteFunction(node, r);
  if (r.edits.calls === calls && !node.async) markFunction(node, r);
  if (shown !== void 0) r.insert(node.end, `, ${shown})`);
}
function markFunction({ body }, r) {
  if (body.type === "BlockStatement") return void r.insert(afterDirectives(body.body, body.start + 1), `'${mark}';`);
  r.insert(body.start, `{'${ofExpression}';return `);
  r.insert(body.end, "}");
}
function rewriteFunction(node, r) {
  if (node.async) removeAsync(node, r);
  const stays = isPlain3(node) || fixturesStayVisible(node, r);
  if (node.async && !node.generator) return stays ? asyncFunction(node, r) : asyncWithParameters(node, r);
  if (!node.async && node.type === "ArrowFunctionExpression" && hasPatterns(node) && !stays) return canTakeApart(node, r) ? arrowTakingApart(node, r) : arrowWithPatterns(node, r);
  if (node.type === "ArrowFunctionExpression" && hasPatterns(node) && !stays) return arrowWithPatterns(node, r);
  if (node.async) return asyncGenerator(node, r);
  syncFunction(node, r);
}
function visitParameters(node, r) {
  for (const parameter of node.params) declarationPattern(parameter, r);
}
function withTemporaries(r, body) {
  const temporaries = { names: [] };
  r.temporaries.push(temporaries);
  body();
  r.temporaries.pop();
  return temporaries;
}
function removeAsync(node, r) {
  const { parent } = r;
  if (!isMethod(node, r)) return r.replace(node.start, node.start + "async".length, "");
  const start = parent.decorators?.at(-1)?.end ?? parent.start;
  const keyword = r.find("async", start, parent.key.start);
  r.replace(keyword, keyword + "async".length, "");
}
var declaresArguments = (node, r) => !!r.analysis.scope(node)?.variables.get("arguments")?.definitions.length;
function parameterReads(node, r) {
  if (node.type === "ArrowFunctionExpression" || declaresArguments(node, r)) return "";
  return withoutThis(node).flatMap((parameter, i) => {
    const shapes = parameter.type === "RestElement" ? readsOfRest(parameter, r) : [readsOf(parameter, r)];
    return shapes.map((shape, j) => shape ? `if (__dporOn) __dpor.pattern(arguments[${i + j}], ${shape});` : "");
  }).join("");
}
function visitBody(node, r) {
  const made = [...node.params.flatMap(restNames).map((name) => madeRest(name, r)), ...recursion(node, r)];
  if (node.body.type === "BlockStatement") {
    bodyBegins(node.body, r.insert(afterDirectives(node.body.body, node.body.start + 1), made.map((call) => `${call};`).join("")));
    return statements(node.body.body, r);
  }
  if (made.length > 0) r.insert(node.body.start, `(${made.join(", ")}, `);
  if (node.async) returnedValue(node.body, r);
  else r.visit(node.body);
  if (made.length > 0) r.insert(node.body.end, ")");
}
var isNoPromise = /^(?:Literal|TemplateLiteral|AwaitExpression|UnaryExpression|BinaryExpression|UpdateExpression|ArrowFunctionExpression|FunctionExpression|ClassExpression)$/;
function returnedValue(node, r) {
  if (isNoPromise.test(unwrap(node).type)) return r.visit(node);
  r.insert(node.start, "__dpor.returned(");
  if (node.type === "SequenceExpression") r.wrap(node, "(", ")");
  else r.visit(node);
  r.insert(node.end, ")");
}
function ReturnStatement(node, r) {
  const owner = r.ancestors.findLast(isFunction);
  if (!node.argument || !owner?.async) r.visit(node.argument);
  else if (owner.generator) waited(node, r);
  else returnedValue(node.argument, r);
}
function YieldExpression(node, r) {
  const owner = r.ancestors.findLast(isFunction);
  const isAsync = owner?.async === true;
  if (!isAsync && !node.delegate) return isDriven(owner, r) && node.argument ? r.wrap(node.argument, "__dpor.waits((", `), ${r.site(node.start, r.text(node))})`) : r.children(node);
  if (node.delegate) return iterated(node.argument, r, { isAsync, isDelegated: true });
  if (node.argument) waited(node, r);
  else r.insert(node.end, ` __dpor.suspend(void 0, ${r.site(node.start, r.text(node))})`);
}
function iterated(node, r, { isAsync, isDelegated = false }) {
  const after = `, ${r.site(node.start, isDelegated ? `yield* ${r.text(node)}` : r.text(node))})`;
  r.wrap(node, isAsync ? "__dpor.iterateAsync(" : "__dpor.iterate(", after, [isAsync ? "__dpor.asyncIterable(" : "__dpor.iterable(", after]);
}
function waited(node, r) {
  const [open, close] = node.argument.type === "SequenceExpression" ? ["(", ")"] : ["", ""];
  r.wrap(node.argument, `__dpor.suspend(${open}`, `${close}, ${r.site(node.start, r.text(node))})`);
}
function syncFunction(node, r) {
  const body = node.body;
  let opening;
  visitParametersApart(node, r);
  if (body.type !== "BlockStatement") return syncExpression(node, r);
  const temporaries = withTemporaries(r, () => {
    const start = afterDirectives(body.body, body.start + 1, r);
    const driven = driving(node, r);
    r.insert(start, (driven ? `if (${driven.isAsked}) return ${driven.call};` : forwardedName(node, r)) + r.scopeDeclaration(node) + parameterReads(node, r));
    const leaf = driven ? void 0 : r.once.leaves.frame(node, r);
    if (leaf) r.edits.insertOwn(start, leaf.open);
    opening = r.insert(start, "");
    if (!leaf) return visitBody(node, r);
    r.inTwin(() => visitBody(node, r));
    const end = body.end - 1;
    r.edits.insert(end, leaf.close, start);
    r.edits.copy(end, { start, end }, missingSemicolons(body, r));
  });
  if (opening && temporaries.names.length > 0) opening.text = `let ${temporaries.names.join(", ")};`;
}
function syncExpression(node, r) {
  const driven = driving(node, r);
  const opening = r.insert(node.body.start, "");
  if (driven) r.insert(node.body.start, `${driven.isAsked} ? ${driven.call} : `);
  const temporaries = withTemporaries(r, () => visitBody(node, r));
  const declarations = (temporaries.names.length > 0 ? `let ${temporaries.names.join(", ")};` : "") + r.scopeDeclaration(node);
  if (!declarations) return;
  opening.text = `{'${ofExpression}';${declarations}return `;
  r.insert(node.body.end, "}");
}
function redeclared(node) {
  if (node.body.type !== "BlockStatement") return [];
  const names2 = node.params.flatMap(boundNames).map((name) => name.name);
  if (node.type !== "ArrowFunctionExpression") names2.push("arguments");
  const declared = new Set(varNames(node.body));
  return names2.filter((name) => declared.has(name));
}
function varNames(node) {
  const names2 = [];
  const search = (inner) => {
    if (Array.isArray(inner)) for (const item of inner) search(item);
    else if (inner && typeof inner === "object" && "type" in inner) {
      const child = inner;
      if (/Function|^Class|Expression$|^TS|Type/.test(child.type)) return;
      if (child.type === "VariableDeclaration" && child.kind === "var")
        for (const declarator of child.declarations) names2.push(...boundNames(declarator.id).map((name) => name.name));
      for (const key in child) if (key !== "type") search(child[key]);
    }
  };
  search(node.body);
  return names2;
}
var mark = "__dpor";
var ofExpression = `${mark}=>`;
function runFrame(node, r) {
  const scope = r.analysis.scope(node);
  const identities = scope && r.analysis.hasRecorded(scope) ? [r.newScope(scope)] : [];
  const name = nameInStack(node, r);
  const [open, close] = name === "" ? ["", ""] : naming(name);
  return { open, close, identities, tail: callTail(node, r, functionName(node, r)) };
}
function callTail(node, r, name) {
  const site2 = r.site(node.id?.start ?? (r.parent.key ?? node).start, name);
  r.callTails.set(node, `,${site2})`);
  return `, ${quote(name)}, ${site2})`;
}
var isMethod = (node, { parent }) => parent.value === node && (parent.type === "MethodDefinition" || parent.type === "Property" && parent.method);
var noConstructor = (node, r) => node.type === "ArrowFunctionExpression" || isMethod(node, r) || isMadeMethod(node) ? "" : `new.target && __dpor.noConstructor(${quote(node.id?.name ?? "")});`;
function asyncFunction(node, r) {
  const body = node.body;
  const frame = runFrame(node, r);
  visitParametersApart(node, r);
  const isBlock = body.type === "BlockStatement";
  const start = isBlock ? afterDirectives(body.body, body.start + 1, r) : body.start;
  const again = redeclared(node).map((name) => ({ name, copy: r.names.fresh() }));
  if (isBlock) {
    r.insert(start, noConstructor(node, r) + parameterReads(node, r));
    if (again.length > 0) r.insert(start, `const ${again.map(({ name, copy }) => `${copy} = ${name}`).join(", ")};`);
    r.insert(start, "return ");
  }
  const opening = r.insert(start, "");
  if (isBlock) r.insert(start, `{${again.map(({ name, copy }) => `${name} = ${copy};`).join("")}`);
  const temporaries = withTemporaries(r, () => visitBody(node, r));
  opening.text = `__dpor.run(${frame.open}async (${[...temporaries.names, ...frame.identities].join(", ")}) => `;
  r.insert(isBlock ? body.end - 1 : body.end, `${isBlock ? "}" : ""}${frame.close}${frame.tail}`);
}
function visitParametersApart(node, r) {
  r.withoutTemporaries(() => visitParameters(node, r));
}
function asyncWithParameters(node, r) {
  r.scopesAround.add(node);
  const frame = runFrame(node, r);
  const { outer, inner, first, afterLast } = parametersOutside(node, r);
  const isArrow = node.type === "ArrowFunctionExpression";
  r.insert(first, `${outer}) ${isArrow ? "=> " : `{ ${noConstructor(node, r)}return `}`);
  const opening = r.insert(first, "");
  r.insert(first, `(${frame.open && `0, ${frame.open}`}async (`);
  visitParametersApart(node, r);
  const temporaries = withTemporaries(r, () => {
    if (!isArrow) r.insert(node.returnType?.end ?? afterLast, " =>");
    visitBody(node, r);
  });
  opening.text = `__dpor.run((${[...temporaries.names, ...frame.identities].join(", ")}) => `;
  r.insert(node.body.end, `${frame.close})(${inner})${frame.tail}${isArrow ? "" : "}"}`);
}
function arrowTakingApart(node, r) {
  const parameters = node.params;
  const body = node.body;
  const isBlock = body.type === "BlockStatement";
  const names2 = parameters.map(() => r.names.fresh());
  const open = r.find("(", node.typeParameters?.end ?? node.start, parameters[0].start);
  const values = parameters.map((parameter, i) => takenArgument(parameter, names2[i], r));
  r.insert(open + 1, `${names2.join(", ")}) => {${isBlock ? "" : `'${ofExpression}';`}`);
  const opening = r.insert(open + 1, "");
  r.insert(open + 1, "let ");
  const temporaries = withTemporaries(r, () => {
    for (const [i, parameter] of parameters.entries()) {
      declarationPattern(parameter, r);
      const next = parameters[i + 1];
      r.replace(parameter.end, next ? next.start : isBlock ? body.start + 1 : body.start, ` = ${values[i]}${next ? ", " : isBlock ? ";" : ";return ("}`);
    }
    visitBody(node, r);
  });
  const declarations = r.scopeDeclaration(node);
  opening.text = declarations + (temporaries.names.length > 0 ? `let ${temporaries.names.join(", ")};` : "");
  if (!isBlock) r.insert(body.end, ")}");
}
function arrowWithPatterns(node, r) {
  const { outer, inner, first } = parametersOutside(node, r);
  r.insert(first, `${outer}) => ((`);
  syncFunction(node, r);
  r.insert(node.body.end, `)(${inner})`);
}
function asyncGenerator(node, r) {
  const body = node.body;
  const name = functionName(node, r);
  const tail = callTail(node, r, name);
  removeStar(node, r);
  visitParametersApart(node, r);
  const start = afterDirectives(body.body, body.start + 1, r);
  const again = redeclared(node).filter((variable) => variable !== "arguments").map((variable) => ({ variable, copy: r.names.fresh() }));
  r.insert(start, noConstructor(node, r) + superDeclaration(node, r) + r.scopeDeclaration(node) + parameterReads(node, r));
  if (again.length > 0) r.insert(start, `const ${again.map(({ variable, copy }) => `${copy} = ${variable}`).join(", ")};`);
  r.insert(start, "return __dpor.generate((async function* () {");
  const opening = r.insert(start, again.map(({ variable, copy }) => `${variable} = ${copy};`).join(""));
  const temporaries = withTemporaries(r, () => visitBody(node, r));
  if (temporaries.names.length > 0) opening.text += `let ${temporaries.names.join(", ")};`;
  r.insert(body.end - 1, `}).apply(this, arguments)${tail}`);
}
function superDeclaration(node, r) {
  if (!usesSuper(node.body)) return "";
  const [get, set, key, value] = [r.names.fresh(), r.names.fresh(), r.names.fresh(), r.names.fresh()];
  r.superStandIns.set(node, { get, set });
  return `const ${get} = (${key}) => super[${key}], ${set} = (${key}, ${value}) => super[${key}] = ${value};`;
}
function removeStar(node, r) {
  const { parent } = r;
  const from = isMethod(node, r) ? parent.decorators?.at(-1)?.end ?? parent.start : node.start;
  const star = r.find("*", from, isMethod(node, r) ? parent.key.start : node.id?.start ?? node.body.start);
  r.replace(star, star + 1, /\w\*[\w$]/.test(r.source.slice(star - 1, star + 2)) ? " " : "");
}
function usesSuper(node) {
  if (Array.isArray(node)) return node.some(usesSuper);
  if (!node || typeof node !== "object" || !("type" in node)) return false;
  const inner = node;
  if (inner.type === "Super") return true;
  if (inner.type === "FunctionExpression" || inner.type === "FunctionDeclaration") return false;
  for (const key in inner) if (usesSuper(inner[key])) return true;
  return false;
}

// plugin/3-rewrite/literals.ts
function ObjectExpression(node, r) {
  const isNamed = !r.once.localLiterals.has(node, r);
  const opening = r.insert(node.start, "__dpor.made(");
  if (!isNamed) r.edits.names--;
  r.children(node);
  const methods = node.type === "ObjectExpression" ? asyncMethodsOfObject(node, r) : "";
  const number = r.places.all.length;
  const site2 = r.site(node.start, r.text(node), madeName(node, r));
  if (r.isInTwin || !r.canKeep || methods) return void r.insert(node.end, `, ${site2}${methods})`);
  const name = r.temporary();
  opening.text = `(${name} = `;
  r.insert(node.end, `, ${isNamed ? namesOr(number, r) : flag} ? __dpor.made(${name}, ${site2}) : ${name})`);
}
var ArrayExpression = ObjectExpression;
function Literal(node, r) {
  if ("regex" in node && node.regex) ObjectExpression(node, r);
}
function Property(node, r) {
  if (node.shorthand) {
    const binding = r.recorded(node.value);
    const live = binding ? void 0 : liveRead(node.value, r);
    if (binding) r.insert(node.end, `: ${readVariable(binding, node.value, r)}`);
    if (live) r.insert(node.end, `: ${live.before}${r.text(node.value)}${live.after}`);
    return;
  }
  if (node.computed) operand(node.key, r);
  r.visit(node.value);
}
function TemplateLiteral(node, r) {
  for (const expression of node.expressions) {
    if (isPrimitive2(expression, r)) {
      r.visit(expression);
      continue;
    }
    r.wrap(expression, "__dpor.coerced((", `), ${r.site(expression.start, r.text(expression))})`);
  }
}
function SpreadElement(node, r) {
  const isGiven2 = r.parent.type === "CallExpression" || r.parent.type === "NewExpression";
  const after = `, ${r.site(node.argument.start, `${isGiven2 ? "..." : ""}${r.text(node.argument)}`)})`;
  if (r.parent.type === "ObjectExpression") r.wrap(node.argument, "__dpor.enumerate(", after);
  else r.wrap(node.argument, "__dpor.iterate(", after, ["__dpor.iterable(", after]);
}
function JSXSpreadAttribute(node, r) {
  r.wrap(node.argument, "__dpor.enumerate(", `, ${r.site(node.argument.start, r.text(node.argument))})`);
}
function ClassDeclaration(node, r) {
  classDefinition(node, r);
  if (node.id && !node.declare) nameDeclaredClass(node, r);
}
function classDefinition(node, r) {
  if (!node.superTypeArguments && node.superClass && !isImportMeta(node.superClass, r)) baseClass(node.superClass, r);
  const { calls } = r.edits;
  const methods = r.insert(node.body.start + 1, "");
  r.visit(node.body);
  methods.text = asyncMethodsOfClass(node, r);
  if (r.edits.calls === calls && !hasText(node.body)) r.insert(node.body.start + 1, `static{'__dpor'}`);
}
function baseClass(node, r) {
  const binding = node.type === "Identifier" ? r.analysis.binding(node) : void 0;
  const isAsync = binding?.scope.variables.get(binding.name)?.definitions.some(({ type, node: declared }) => type === "FunctionName" && declared.async);
  if (isAsync) r.replace(node.start, node.end, `__dpor.base(${r.text(node)})`);
  else r.visit(node);
}
var hasText = (body) => body.body.some((member) => member.value?.body && isFunction(member.value));

// plugin/3-rewrite/closures.ts
function FunctionExpression(node, r) {
  if (isText(node, r)) return;
  if (isHandedOn(r.standing)) wrapped(node, r, functionExpression);
  else functionExpression(node, r);
}
function isText({ start, end }, { source, parent, analysis }) {
  if (source[end] === "]" && source[start - 1] === "[") return parent.type !== "ArrayExpression";
  return parent.type === "CallExpression" && parent.callee.name === "String" && analysis.readsGlobal(parent.callee);
}
function functionExpression(node, r) {
  const around2 = node.async && !isMethod2(r) ? asyncExpression(node, r) : void 0;
  r.insert(node.start, around2?.before ?? "");
  Function2(node, r);
  if (isMadeMethod(node)) withoutHead(node, r);
  r.insert(node.end, around2?.after ?? "");
}
var isMethod2 = ({ parent }) => parent.type === "MethodDefinition" || parent.type === "Property" && (parent.method || parent.kind !== "init");
function ClassExpression(node, r) {
  if (isHandedOn(r.standing)) wrapped(node, r, classDefinition);
  else classDefinition(node, r);
}
function wrapped(node, r, visit) {
  const isPlain4 = r.isInTwin || !r.canKeep || r.parent.type === "AssignmentExpression";
  const [before, after] = isPlain4 ? ["__dpor.closure(", ")"] : keptClosure(r.temporary());
  r.insert(node.start, before);
  visit(node, r);
  r.insert(node.end, after);
}
var keptClosure = (name) => [`(${name} = (0, `, `), __dporOn ? __dpor.closure(${name}) : ${name})`];
var callers = /* @__PURE__ */ new Set([
  "map",
  "filter",
  "forEach",
  "reduce",
  "reduceRight",
  "some",
  "every",
  "find",
  "findIndex",
  "findLast",
  "findLastIndex",
  "flatMap",
  "sort",
  "toSorted",
  "then",
  "catch",
  "finally",
  "replace",
  "replaceAll",
  "from",
  "describe",
  "test",
  "it",
  "expect",
  "setTimeout",
  "setInterval",
  "setImmediate",
  "queueMicrotask",
  "nextTick",
  "mock",
  "hoisted",
  "doMock",
  "each",
  "explore",
  "dporTest"
]);
function isHandedOn({ parent, value: node }) {
  switch (parent.type) {
    case "CallExpression":
    case "NewExpression":
      return parent.callee !== node && !callers.has(calleeName(parent.callee));
    case "ArrayExpression":
    case "ReturnStatement":
    case "ConditionalExpression":
    case "YieldExpression":
      return true;
    case "ArrowFunctionExpression":
      return parent.body === node;
    case "AssignmentExpression":
      return parent.right === node && parent.left.type === "MemberExpression";
    default:
      return false;
  }
}
function calleeName(callee) {
  if (callee.type === "Identifier") return callee.name;
  return callee.type === "MemberExpression" && !callee.computed ? callee.property.name : "";
}

// plugin/3-rewrite/visitors.ts
var visitors = {
  ArrayExpression,
  ArrowFunctionExpression: FunctionExpression,
  AssignmentExpression,
  AwaitExpression,
  BinaryExpression,
  BlockStatement,
  BreakStatement: nothing,
  CallExpression,
  CatchClause,
  ChainExpression,
  ClassBody,
  ClassDeclaration,
  ClassExpression,
  ContinueStatement: nothing,
  DoWhileStatement: WhileStatement,
  ExportAllDeclaration: nothing,
  ExportNamedDeclaration,
  ExpressionStatement,
  ForInStatement,
  ForOfStatement,
  ForStatement,
  FunctionDeclaration,
  FunctionExpression,
  Identifier,
  ImportDeclaration: nothing,
  ImportExpression,
  LabeledStatement,
  MemberExpression,
  MetaProperty: nothing,
  MethodDefinition: Keyed,
  NewExpression,
  ObjectExpression,
  Property,
  PropertyDefinition: Keyed,
  AccessorProperty: Keyed,
  ReturnStatement,
  SpreadElement,
  StaticBlock,
  SwitchStatement,
  TaggedTemplateExpression,
  TemplateLiteral,
  Literal,
  JSXSpreadAttribute,
  TSEnumDeclaration: nothing,
  TSExportAssignment: nothing,
  TSImportEqualsDeclaration: nothing,
  TSModuleDeclaration,
  UnaryExpression,
  UpdateExpression,
  VariableDeclaration,
  VariableDeclarator,
  WhileStatement,
  WithStatement,
  YieldExpression
};
function Keyed(node, r) {
  if (node.declare) return;
  if (node.computed) r.visit(node.key);
  if (node.type === "MethodDefinition") r.visit(node.value);
  else r.withoutTemporaries(() => r.visit(node.value));
}

// plugin/3-rewrite/rewriting.ts
var Rewriting = class {
  edits;
  lines;
  places;
  names;
  analysis;
  once;
  unhandled = [];
  /** Statements that stand before all others of the file. */
  beginnings = [];
  /** From the program down to the node being visited. */
  ancestors = [];
  /** Of each function around; undefined where there is no place to declare them. */
  temporaries = [{ names: [] }];
  privateNames = [];
  /** For async generators that use `super`: what stands for it in their bodies. */
  superStandIns = /* @__PURE__ */ new Map();
  /** Functions that drive generators, which others make: how they begin. */
  drivingInside = /* @__PURE__ */ new Map();
  drivesGenerators;
  /** Functions around which the identity of their scope is made, so that their parameters have it as well. */
  scopesAround = /* @__PURE__ */ new Set();
  /** How the call of the runtime ends that is the body of an async function: no other function of the file contains it. */
  callTails = /* @__PURE__ */ new Map();
  /** Calls by which a function goes on as a loop does: what stands before them. */
  recursions = /* @__PURE__ */ new Map();
  /** An expression is being written beside which the plain one will stand. */
  isInTwin = false;
  /** What was taken out of it so far. */
  #hoisted = [];
  source;
  file;
  /** Names of what the platform has put on the global object. */
  platform;
  /** Names imported from packages that the file uses, by specifier. */
  imports = /* @__PURE__ */ new Map();
  /** Whether a text may be run in the scope of the file's functions. */
  mayEvaluate;
  /** Of a file that may be sloppy code: the places in what is strict there, as [first, end]. */
  strictParts;
  #isInStrictPart = false;
  #comments;
  /** For scopes that have variables to record: the name of the variable that holds the scope's identity. */
  #identities = /* @__PURE__ */ new Map();
  constructor(source, file, { program, comments }, { original, platform }) {
    this.source = source;
    this.file = file;
    this.platform = platform;
    this.drivesGenerators = mayDriveGenerators(source);
    this.mayEvaluate = source.includes("eval(");
    this.strictParts = mayBeSloppy(program, file) ? [] : void 0;
    this.#comments = comments;
    this.edits = new Edits(source);
    this.lines = new Lines(source);
    this.places = new Places(this.lines, original);
    this.names = new Names(source);
    this.analysis = new Analysis(program);
    this.once = new Once(program, this);
  }
  visit(node) {
    if (!node) return;
    if (this.isInTwin && this.once.isHoisted(node)) this.#hoist(node);
    else this.#twin(node, () => this.visitOnly(node));
  }
  /** Writes what the plain text will stand beside as a whole. */
  inTwin(write2) {
    this.isInTwin = true;
    this.#hoisted = [];
    write2();
    this.isInTwin = false;
  }
  /** Writes a part of an expression apart, to be evaluated before it. */
  #hoist(node) {
    const hoisted = this.#hoisted;
    const { mark: mark2, calls, names: names2 } = this.edits;
    const name = this.temporary();
    this.isInTwin = false;
    this.visitOnly(node);
    this.isInTwin = true;
    const hole = { start: node.start, end: node.end, name };
    hoisted.push({ ...hole, mark: mark2, calls: this.edits.calls - calls, names: this.edits.names - names2, fragment: this.edits.cut(hole, mark2) });
    this.#hoisted = hoisted;
  }
  /** Leaves such a part where it was. */
  putBack({ fragment, mark: mark2, name }) {
    this.edits.putBack(fragment, mark2);
    const { names: names2 } = this.temporaries.at(-1);
    names2.splice(names2.indexOf(name), 1);
  }
  /** Where the plain expression can stand beside it, `write` writes one that has no others like it inside. */
  #twin(node, write2, plain) {
    if (this.isInTwin || !mayBeTwin(node, this)) return write2();
    twin(node, this, { plain, write: () => {
      this.inTwin(write2);
      return this.#hoisted;
    } });
  }
  #visitor = (node) => this.visit(node);
  /** Visits a node that nothing may be written beside. */
  visitOnly(node) {
    if (!this.strictParts || this.#isInStrictPart || !isStrict(node)) return this.#visitOnly(node);
    const first = this.places.all.length;
    this.#isInStrictPart = true;
    this.#visitOnly(node);
    this.#isInStrictPart = false;
    if (this.places.all.length > first) this.strictParts.push([first, this.places.all.length]);
  }
  #visitOnly(node) {
    const visitor = visitors[node.type];
    this.ancestors.push(node);
    if (visitor) visitor(node, this);
    else this.children(node);
    this.ancestors.pop();
  }
  /** Visits what stands in a node that is not visited itself. */
  visitIn(parent, node) {
    this.ancestors.push(parent);
    this.visit(node);
    this.ancestors.pop();
  }
  children(node) {
    forEachChild(node, this.#visitor);
  }
  /** The node that contains the one being visited. */
  get parent() {
    return this.ancestors.at(-2);
  }
  /** Where the expression being visited stands: what is around it and its parentheses and type assertions, and which part of that they are. */
  get standing() {
    const at = this.ancestors.findLastIndex((node, i) => i < this.ancestors.length - 1 && !isTransparent(node));
    return { parent: this.ancestors[at], value: this.ancestors[at + 1] };
  }
  /** `origin`: the position in the source that errors in the inserted text are shown at. */
  insert(at, text, origin = at) {
    return this.edits.insert(at, text, origin);
  }
  replace(start, end, text) {
    this.edits.replace(start, end, text);
  }
  /** `before`, the node, `after`. `plain`: what stands around the plain expression beside it. */
  wrap(node, before, after, plain) {
    const write2 = () => {
      this.insert(node.start, before);
      this.visit(node);
      this.insert(node.end, after);
    };
    if (before.includes("__dpor")) this.#twin(node, write2, plain);
    else write2();
  }
  text(node) {
    return this.source.slice(node.start, node.end);
  }
  /** The number of a place, as an expression. `name`: what an object is made for there. */
  site(position, text, name) {
    return `${this.names.table}+${this.places.add(position, text, name)}`;
  }
  temporary() {
    const name = this.names.fresh();
    this.temporaries.at(-1).names.push(name);
    return name;
  }
  /** Whether a value can be kept in a variable here. */
  get canKeep() {
    return this.temporaries.at(-1) !== void 0;
  }
  /** Writes what stands where no variable can be declared. */
  withoutTemporaries(write2) {
    this.temporaries.push(void 0);
    write2();
    this.temporaries.pop();
  }
  recorded(identifier) {
    const binding = this.analysis.binding(identifier);
    return binding?.recorded && (binding.isUsedByParameters || !isInParameters(identifier, binding.scope)) ? binding : void 0;
  }
  /** Notes the use of a name, where a package that may not be instrumented has it. */
  uses(identifier) {
    const source = this.analysis.binding(identifier)?.source;
    if (source === void 0 || !isPackage(source)) return;
    let names2 = this.imports.get(source);
    if (!names2) this.imports.set(source, names2 = /* @__PURE__ */ new Set());
    names2.add(identifier.name);
  }
  /**
   * The first two arguments of calls about a variable. The identity of a function's variables is mostly made in its body: what functions
   * among its parameters use is one for all calls then.
   */
  variable(binding) {
    const { block } = binding.scope;
    const identity = binding.isUsedByParameters && !this.scopesAround.has(block) ? quote(`${this.file}:${block.start}`) : this.#identityOf(binding.scope);
    return `${identity}, ${quote(binding.name)}`;
  }
  #identityOf(scope) {
    if (scope.type === "module") return quote(this.file);
    if (scope.type === "global") return "globalThis";
    return `${this.scopeIdentity(scope)} ??= __dpor.older()`;
  }
  /** The variable that holds the identity of a scope. */
  scopeIdentity(scope) {
    let identity = this.#identities.get(scope);
    if (identity === void 0) this.#identities.set(scope, identity = this.names.freshScope());
    return identity;
  }
  /** A scope that begins outside of explorations gets its identity when somebody asks for it. */
  newScope(scope) {
    return `${this.scopeIdentity(scope)} = __dporOn ? __dpor.scope() : void 0`;
  }
  /** The declaration of the identity that variables of the scope are recorded under. */
  scopeDeclaration(node) {
    const scope = this.analysis.scope(node);
    return scope && this.analysis.hasRecorded(scope) ? `let ${this.newScope(scope)};` : "";
  }
  /** The position of `token` in the source between two positions, outside comments. */
  find(token, from, to) {
    let position = from;
    for (; ; ) {
      const found = this.source.indexOf(token, position);
      if (found === -1 || found >= to) throw new Error(`vitest-dpor: no ${token} between ${from} and ${to} of ${this.file}; please report this with the file`);
      const comment = this.#commentAt(found);
      if (!comment) return found;
      position = comment.end;
    }
  }
  /** How often a character stands between two positions, outside comments. */
  count(character, from, to) {
    let count = 0;
    for (let i = this.source.indexOf(character, from); i !== -1 && i < to; i = this.source.indexOf(character, i + 1))
      if (!this.#commentAt(i)) count++;
    return count;
  }
  /** The comments between two positions. */
  *commentsIn({ start, end }) {
    for (let i = firstFrom(this.#comments, start, startOf); i < this.#comments.length && this.#comments[i].start < end; i++) yield this.#comments[i];
  }
  #commentAt(position) {
    const comment = this.#comments[firstFrom(this.#comments, position + 1, startOf) - 1];
    return comment && position < comment.end ? comment : void 0;
  }
  leave(node, construct) {
    const [line, column] = this.places.locate(node.start);
    this.unhandled.push({ line, column, construct });
  }
};

// plugin/3-rewrite/rewrite.ts
var isDirective = (node) => typeof node.directive === "string";
var ofThisThread = new Set(platformNames);
function rewrite(source, file, { made, platform = ofThisThread } = {}) {
  const parsed = (made?.language && parse(source, file, made.language)) ?? parse(source, file);
  if (!parsed) return void 0;
  const body = parsed.program.body;
  const r = new Rewriting(source, file, parsed, { original: made?.original, platform });
  r.ancestors.push(parsed.program);
  const first = body.find((node) => !isDirective(node));
  if (!first) return void 0;
  afterDirectives(body, 0, r);
  const start = Math.min(first.start, ...decoratorsOf(first).map((decorator) => decorator.start));
  const opening = r.insert(start, "");
  statements(body.filter((node) => !isDirective(node)), r);
  const lists = listsOf(r);
  const assigned = assignedNames(parsed.program);
  if (r.edits.calls === 0 && lists.length === 0) return void 0;
  if (assigned.length > 0) lists.push(...["[]", "[]"].slice(lists.length), JSON.stringify(assigned));
  if (r.strictParts) lists.push(...["[]", "[]", "[]"].slice(lists.length), `function () { return this }() && ${JSON.stringify(r.strictParts)}`);
  const temporaries = r.temporaries[0].names;
  opening.text = `var ${[`${r.names.table} = __dpor.file(${quote(file)}, ${[literal(JSON.stringify(r.places.all)), String(r.places.all.length), ...lists].join(", ")})`, ...temporaries].join(", ")};${r.beginnings.join("")}`;
  return { ...r.edits.apply(file, r.lines, (range) => r.commentsIn(range)), unhandled: r.unhandled };
}
var literal = (text) => `'${text.replaceAll(/[\\']/g, String.raw`\$&`).replaceAll("\u2028", String.raw`\u2028`).replaceAll("\u2029", String.raw`\u2029`)}'`;
function listsOf(r) {
  const imports = importsOf(r);
  const exports = exportsOf2(r).join(", ");
  if (exports) return [imports || "[]", `[${exports}]`];
  return imports ? [imports] : [];
}
function importsOf({ imports }) {
  if (imports.size === 0) return "";
  return `[${[...imports].map(([specifier, names2]) => `[${quote(specifier)}, () => [${[...names2].join(", ")}]]`).join(", ")}]`;
}
var decoratorsOf = (node) => node.decorators ?? node.declaration?.decorators ?? [];

// ../../tmp/prof/tr.ts
var f = process.argv[2];
var n = +process.argv[3];
var s = readFileSync(f, "utf8");
for (let i = 0; i < n; i++) {
  const c = process.cpuUsage();
  parse(s, f);
  const d = process.cpuUsage(c);
  const e = process.cpuUsage();
  rewrite(s, f);
  const g = process.cpuUsage(e);
  console.log("parse", Math.round((d.user + d.system) / 1e3), "rewrite", Math.round((g.user + g.system) / 1e3));
}
