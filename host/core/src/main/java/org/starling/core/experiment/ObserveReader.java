package org.starling.core.experiment;

import java.util.ArrayList;
import java.util.List;
import org.starling.core.experiment.ObservableSpec.Clusters;
import org.starling.core.experiment.ObservableSpec.InnerProducts;
import org.starling.core.experiment.ObservableSpec.Plain;
import org.starling.core.experiment.ObservableSpec.Quantity;
import org.starling.core.model.Geometry;

/** Reads the list {@code observe}. */
final class ObserveReader {
  private static final String CLUSTERS = "clusters";
  private static final String INNER_PRODUCTS = "inner-products";

  private final Binding binding;
  private final RunReader links;
  private final List<String> words = new ArrayList<>();

  ObserveReader(Binding binding, RunReader links) {
    this.binding = binding;
    this.links = links;
    words.addAll(Binding.labels(Quantity.values()));
    words.add(CLUSTERS);
    words.add(INNER_PRODUCTS);
  }

  List<ObservableSpec> read(Node node, Geometry geometry) {
    if (node == null) {
      return standard(geometry);
    }
    List<ObservableSpec> observables = new ArrayList<>();
    List<Node> items = binding.list(node, "observe");
    for (int i = 0; i < items.size(); i++) {
      ObservableSpec observable = observable(items.get(i), "observe[" + i + "]", geometry);
      if (observable == null) {
        continue;
      }
      if (observables.stream().anyMatch(o -> o.key().equals(observable.key()))) {
        binding.problems.add(items.get(i).at(), "observe lists " + observable.key() + " twice");
      }
      observables.add(observable);
    }
    return observables;
  }

  /** Cosines and the energy say little about tokens that are not unit vectors. */
  private static List<ObservableSpec> standard(Geometry geometry) {
    return geometry == Geometry.SPHERE
        ? List.of(
            new Plain(Quantity.ENERGY),
            Clusters.usual(geometry),
            new InnerProducts(InnerProducts.BINS))
        : List.of(Clusters.usual(geometry), new Plain(Quantity.NORMS));
  }

  private ObservableSpec observable(Node node, String path, Geometry geometry) {
    if (node instanceof Node.Scalar word) {
      for (Quantity quantity : Quantity.values()) {
        if (word.text().equals(Binding.label(quantity))) {
          return new Plain(quantity);
        }
      }
      if (word.text().equals(CLUSTERS)) {
        return Clusters.usual(geometry);
      }
      if (word.text().equals(INNER_PRODUCTS)) {
        return new InnerProducts(InnerProducts.BINS);
      }
    }
    if (node instanceof Node.Mapping m && m.entries().size() == 1) {
      Section s = new Section(binding, m, path);
      if (s.has(CLUSTERS)) {
        Section c = s.section(CLUSTERS);
        Clusters clusters = links.link(c);
        c.done();
        return clusters;
      }
      if (s.has(INNER_PRODUCTS)) {
        Section p = s.section(INNER_PRODUCTS);
        int bins = p.integer("bins", InnerProducts.BINS, 1);
        p.done();
        return new InnerProducts(bins);
      }
      String key = m.entries().keySet().iterator().next();
      binding.problems.add(
          m.entries().get(key).at(),
          words.contains(key)
              ? "the observable " + key + " takes no parameters: write the word alone"
              : "unknown observable "
                  + key
                  + Suggestion.forWord(key, words)
                  + " (known: "
                  + String.join(", ", words)
                  + ")");
      return null;
    }
    binding.unknownWord(node, path, words, words);
    return null;
  }
}
